'use strict'

const BLOCKS = /<pre\b.*?<\/pre>|<(code|h[23])\b[^>]*>.*?<\/\1>/gs
const DOT = /(<[^>]*>)|(\w\.)(?=[A-Za-z_])/g

/** Lets long names break after their dots, and so nowhere else: in code within a text, and in headings. */
module.exports.register = function () {
  this.on('documentsConverted', ({ contentCatalog }) => {
    for (const page of contentCatalog.getPages((candidate) => candidate.out)) {
      const html = page.contents
        .toString()
        .replace(BLOCKS, (block, inText) =>
          inText ? block.replace(DOT, (all, tag, dot) => tag || dot + '<wbr>') : block
        )
      page.contents = Buffer.from(html)
    }
  })
}

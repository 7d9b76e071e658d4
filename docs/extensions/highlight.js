'use strict'

const hljs = require('highlight.js/lib/core')

hljs.registerLanguage('cypher', (library) => ({
  case_insensitive: true,
  keywords: {
    keyword:
      'and as asc by call case constraint create delete desc detach distinct else end exists for foreach from headers ' +
      'if in is limit load csv match merge not on optional or order procedures functions remove require return ' +
      'rows set settings show skip starts ends contains terminate then transaction transactions union unique unwind use ' +
      'when where with xor yield',
    literal: 'true false null',
  },
  contains: [
    library.APOS_STRING_MODE,
    library.QUOTE_STRING_MODE,
    library.C_LINE_COMMENT_MODE,
    library.C_NUMBER_MODE,
    { scope: 'title', match: /\b(apoc|db|dbms|gds|proxima)(\.\w+)+/ },
    { scope: 'type', match: /:[A-Z]\w*/ },
    // names that a keyword may not colour
    { match: /\.\w+|\$\w+/ },
  ],
}))
hljs.registerLanguage('python', require('highlight.js/lib/languages/python'))

const BLOCK = /(<code class="language-(\w+)[^>]*>)([^<]*)(?=<\/code>)/g
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

const text = (html) => html.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity])

/** Colours the source blocks when the site is built, so that readers load no highlighter. */
module.exports.register = function () {
  this.on('documentsConverted', ({ contentCatalog }) => {
    for (const page of contentCatalog.getPages((candidate) => candidate.out)) {
      const html = page.contents
        .toString()
        .replace(BLOCK, (block, head, language, code) =>
          hljs.getLanguage(language) ? head + hljs.highlight(text(code), { language }).value : block
        )
      page.contents = Buffer.from(html)
    }
  })
}

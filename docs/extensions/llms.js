'use strict'

const text = (html) => html.replace(/<[^>]+>/g, '').replace(/&#8217;/g, "'").replace(/&amp;/g, '&')

/** Adds llms.txt, which lists the pages for programs, in the order of the navigation and with their descriptions. */
module.exports.register = function () {
  this.on('navigationBuilt', ({ contentCatalog, navigationCatalog, siteCatalog }) => {
    const { name, version, title, url: start } = contentCatalog.getComponents()[0].latest
    const pages = new Map(contentCatalog.getPages((page) => page.out).map((page) => [page.pub.url, page]))
    const description = (url) => text(pages.get(url).asciidoc.attributes.description)
    const lines = [`# ${title}`, '', `> ${description(start)}`, '']
    const add = ({ content, url, items = [] }) => {
      if (url) {
        lines.push(`- [${text(content)}](${url.slice(1)}): ${description(url)}`)
      } else if (content) {
        lines.push('', `## ${text(content)}`, '')
      }
      items.forEach(add)
    }
    navigationCatalog.getNavigation(name, version).forEach(add)
    siteCatalog.addFile({ contents: Buffer.from(lines.join('\n') + '\n'), out: { path: 'llms.txt' } })
  })
}

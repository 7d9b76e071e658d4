'use strict'

const HEADING = /<h([23]) id="([^"]+)">(.*?)<\/h\1>/g

/** The headings of a page, for its contents list. */
module.exports = (contents) =>
  Array.from(String(contents).matchAll(HEADING), ([, level, id, title]) => ({
    level,
    id,
    title: title.replace(/<\/?a\b[^>]*>/g, ''),
  }))

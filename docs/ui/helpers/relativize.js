'use strict'

const { posix: path } = require('path')

/** The address of a page of this site, from the page that is being made. */
module.exports = (to, { data: { root } }) => {
  const [target, anchor = ''] = to.split(/(?=#)/)
  return (path.relative(path.dirname(root.page.url), target) || path.basename(target)) + anchor
}

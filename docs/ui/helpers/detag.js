'use strict'

module.exports = (html) => html && String(html).replace(/<[^>]+>/g, '')

'use strict'

// the scheme that the reader chose, else that of the system
;(() => {
  const root = document.documentElement
  const show = (scheme) => {
    root.style.colorScheme = scheme || ''
  }
  show(window.localStorage.getItem('scheme'))
  document.getElementById('scheme').addEventListener('click', () => {
    const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)').matches
    const now = root.style.colorScheme || (systemIsDark ? 'dark' : 'light')
    const next = now === 'dark' ? 'light' : 'dark'
    window.localStorage.setItem('scheme', next)
    show(next)
  })
})()

// lists that are above the page, not beside it, are folded
for (const [list, besideFrom] of [
  ['.body > nav', '50rem'],
  ['.toc', '90rem'],
]) {
  const details = document.querySelector(`${list} > details`)
  if (details) details.open = window.matchMedia(`(min-width: ${besideFrom})`).matches
}

// browsers offer the clipboard to secure pages only
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.doc .listingblock .content')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('pre').innerText)
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
    block.append(button)
  }
}

// the entry of the contents list that is being read
;(() => {
  const entries = new Map()
  for (const link of document.querySelectorAll('.toc a')) {
    entries.set(decodeURIComponent(link.hash.slice(1)), link)
  }
  const observer = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting) continue
        entries.forEach((link) => link.classList.remove('here'))
        entries.get(target.id).classList.add('here')
      }
    },
    { rootMargin: '0px 0px -70% 0px' }
  )
  entries.forEach((_, id) => observer.observe(document.getElementById(id)))
})()

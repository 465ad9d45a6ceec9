// The pages work without this file: it adds the search, the menu of narrow windows, the copy buttons and the mark of the heading being read.
const root = new URL('../', document.currentScript.src)
const MAX_RESULTS = 12
const EXCERPT_LENGTH = 150

document.documentElement.classList.add('scripted')

function createElement(name, properties = {}, children = []) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

// Menu of narrow windows

const menu = document.querySelector('.menu')
const navigation = document.getElementById('manual-navigation')

/** Scrolls the navigation so that the current page is in sight. */
function showCurrentLink() {
  const link = navigation.querySelector('[aria-current]')
  if (!link || navigation.scrollHeight <= navigation.clientHeight) return
  const offset = link.getBoundingClientRect().top - navigation.getBoundingClientRect().top
  navigation.scrollTop += offset - navigation.clientHeight / 3
}

function toggleMenu(isOpen) {
  menu.setAttribute('aria-expanded', String(isOpen))
  navigation.classList.toggle('open', isOpen)
  document.documentElement.classList.toggle('covered', isOpen)
  if (isOpen) showCurrentLink()
}

menu.hidden = false
menu.addEventListener('click', () => toggleMenu(menu.getAttribute('aria-expanded') !== 'true'))

showCurrentLink()

// Contents of the page: open beside the text, closed above it

const contents = document.querySelector('.contents details')
if (contents) {
  const isWide = matchMedia('(width >= 1200px)')
  const adapt = () => {
    contents.open = isWide.matches
  }
  adapt()
  isWide.addEventListener('change', adapt)
  const links = new Map([...contents.querySelectorAll('a')].map((link) => [decodeURI(link.hash.slice(1)), link]))
  const headings = [...links.keys()].map((id) => document.getElementById(id))
  const markHeading = () => {
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const current = isAtEnd
      ? headings.at(-1)
      : headings.findLast((heading) => heading.getBoundingClientRect().top < 140)
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  let isScheduled = false
  addEventListener(
    'scroll',
    () => {
      if (isScheduled) return
      isScheduled = true
      requestAnimationFrame(() => {
        isScheduled = false
        markHeading()
      })
    },
    { passive: true },
  )
  markHeading()
}

// What scrolls sideways can be scrolled by the keyboard

const scrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0
    else target.removeAttribute('tabindex')
  }
})
for (const element of document.querySelectorAll('.table, .code pre')) scrollers.observe(element)

// Copy buttons

/** The text of a block. Of a session in a terminal, the commands alone. */
function readCode(block) {
  const text = block.querySelector('pre').textContent
  if (block.dataset.language !== 'console') return text
  const commands = text.split('\n').filter((line) => line.startsWith('$ '))
  return commands.length > 0 ? commands.map((line) => line.slice(2)).join('\n') : text
}

async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Over plain HTTP, browsers offer this way only.
  const field = createElement('textarea', { value: text, className: 'unseen' })
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

const COPY_ICON =
  '<path d="M6 5.5V4a1.5 1.5 0 0 1 1.5-1.5H14A1.5 1.5 0 0 1 15.5 4v6.5A1.5 1.5 0 0 1 14 12h-1.5"/><rect x="2.5" y="6" width="10" height="9.5" rx="1.5"/>'
const DONE_ICON = '<path d="m3.5 9.5 3.5 3.5 7.5-8"/>'

function showCopyState(button, isDone) {
  button.innerHTML = `<svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">${isDone ? DONE_ICON : COPY_ICON}</svg>`
  button.toggleAttribute('data-done', isDone)
  button.setAttribute('aria-label', isDone ? 'Copied' : 'Copy')
}

for (const block of document.querySelectorAll('.code')) {
  const button = createElement('button', { type: 'button', className: 'copy' })
  showCopyState(button, false)
  button.addEventListener('click', async () => {
    await copyText(readCode(block))
    button.focus()
    showCopyState(button, true)
    setTimeout(() => showCopyState(button, false), 1500)
  })
  block.append(button)
}

// Search

const form = document.querySelector('.search')
const input = form.querySelector('input')
const results = form.querySelector('.results')
const status = form.querySelector('[role=status]')
let loading

async function loadSearch() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import(new URL('assets/minisearch.js', root).href),
    fetch(new URL('search.json', root)),
  ])
  const { options, index } = await response.json()
  return MiniSearch.loadJS(index, options)
}

function requireSearch() {
  loading ??= loadSearch().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** A text as nodes, with the words that were found marked. */
function markWords(text, words) {
  const escaped = words.map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).sort((a, b) => b.length - a.length)
  if (escaped.length === 0) return [text]
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'giu'))
  return parts.map((part, index) => (index % 2 === 1 ? createElement('mark', { textContent: part }) : part))
}

/** The part of a text around the first word that was found. */
function cutExcerpt(text, words) {
  const lowered = text.toLowerCase()
  const positions = words.map((word) => lowered.indexOf(word)).filter((position) => position >= 0)
  const wanted = Math.max(0, Math.min(...positions, lowered.length) - 50)
  const start = positions.length === 0 || wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1
  const isCut = start + EXCERPT_LENGTH < text.length
  const end = isCut ? text.lastIndexOf(' ', start + EXCERPT_LENGTH) : text.length
  return `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(end, start))}${isCut ? ' …' : ''}`
}

function createResult({ heading, page, section, url, text, terms }) {
  const trail = [section, heading === page ? '' : page].filter(Boolean).join(' › ')
  const link = createElement('a', { href: new URL(url, root).href }, [
    createElement('strong', {}, markWords(heading, terms)),
    createElement('small', { textContent: trail }),
    createElement('small', {}, markWords(cutExcerpt(text, terms), terms)),
  ])
  return createElement('li', {}, [link])
}

function showResults(items, message) {
  results.replaceChildren(
    ...(items.length > 0 ? items : [createElement('li', {}, [createElement('p', { textContent: message })])]),
  )
  results.hidden = false
  results.scrollTop = 0
  status.textContent = message
}

function closeResults() {
  results.hidden = true
  status.textContent = ''
}

async function search() {
  const query = input.value.trim()
  if (query === '') return closeResults()
  try {
    const engine = await requireSearch()
    // The words have changed while the index was loading.
    if (query !== input.value.trim()) return
    const found = engine.search(query)
    const items = found.slice(0, MAX_RESULTS).map(createResult)
    showResults(
      items,
      found.length === 0
        ? `No results for “${query}”.`
        : `${found.length} ${found.length === 1 ? 'result' : 'results'}`,
    )
  } catch {
    showResults([], 'The search index could not be loaded.')
  }
}

/** Moves the focus among the field and the results. */
function moveFocus(step) {
  const stops = [input, ...results.querySelectorAll('a')]
  stops[stops.indexOf(document.activeElement) + step]?.focus()
}

form.hidden = false
input.addEventListener('focus', () => {
  requireSearch().catch(() => undefined)
  if (input.value.trim() !== '' && results.hidden) search()
})
input.addEventListener('input', search)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  results.querySelector('a')?.click()
})
form.addEventListener('keydown', (event) => {
  if (results.hidden || !['ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  moveFocus(event.key === 'ArrowDown' ? 1 : -1)
})
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget && !form.contains(relatedTarget)) closeResults()
})
results.addEventListener('click', ({ target }) => {
  if (target.closest('a')) closeResults()
})
document.addEventListener('pointerdown', ({ target }) => {
  if (!form.contains(target)) closeResults()
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (!results.hidden) {
      input.focus()
      closeResults()
    } else if (menu.getAttribute('aria-expanded') === 'true') {
      toggleMenu(false)
      menu.focus()
    }
  }
  const isTyping = event.target.closest('input, textarea, [contenteditable]') !== null
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
  input.select()
})

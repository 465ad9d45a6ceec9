const LINKS = 10
const PARAGRAPH = 'The late varieties came down from the hill on Tuesday, and the press has been at it since. '.repeat(
  14,
)

/** What is put into the letter: a contact's values by the field's name, the address of each of its links, and its end. */
interface Slots {
  value(field: string): string
  link(part: number): string
  /** Before the end of the body. */
  last?: string
}

/** A letter of about 15 KB of HTML with five values, the first of them in each part, and ten links. */
export function letter({ value, link, last = '' }: Slots): string {
  const sections = Array.from(
    { length: LINKS },
    (_, n) =>
      `<h2>${value('First name')}, part ${n + 1}</h2><p>${PARAGRAPH}</p><p><a href="${link(n + 1)}">Read part ${n + 1}</a></p>`,
  )
  const reader = ['Last name', 'Country', 'Language', 'Email'].map(value).join(', ')
  return `<!doctype html><html><body><p>For ${reader}</p>${sections.join('\n')}${last}</body></html>`
}

/** The letter as a campaign's content: its values are left to the template, its links to tracking. */
export function letterHtml(): string {
  return letter({
    value: (field) => `{{ contact["${field}"] }}`,
    link: (part) => `https://orchard.example/part/${part}?from=letter`,
  })
}

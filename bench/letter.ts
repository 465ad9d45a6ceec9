const LINKS = 10

/** A letter of about 15 KB of HTML with tracked links and personalised values. */
export function letterHtml(): string {
  const paragraph =
    'The late varieties came down from the hill on Tuesday, and the press has been at it since. '.repeat(14)
  const sections = Array.from(
    { length: LINKS },
    (_, n) =>
      `<h2>{{ contact["First name"] }}, part ${n + 1}</h2><p>${paragraph}</p><p><a href="https://orchard.example/part/${n + 1}?from=letter">Read part ${n + 1}</a></p>`,
  )
  return `<!doctype html><html><body><p>For {{ contact["Last name"] }}, {{ contact.Country }}, {{ contact.Language }}, {{ contact.Email }}</p>${sections.join('\n')}</body></html>`
}

import { seeded } from '../../test/fakes/scripts/seeded.ts'

/** One line of the demo's contact file, by column. */
export type Row = Record<(typeof columns)[number], string>

/** The columns of a contact file, as the first line names them. */
export const columns = [
  'Email',
  'Title',
  'First name',
  'Last name',
  'Mobile',
  'Birth date',
  'Country',
  'Language',
  'Tastes',
  'Spent',
  'Opt-in',
] as const

/** Labels of the two lists. */
export const titles = ['Mr', 'Ms']
export const tastes = ['Wine', 'Books', 'Travel', 'Sport', 'Garden', 'Cinéma']

const firstNames = ['Ann', 'Zoë', 'Louis', 'Chloé', 'Marco', 'Inès', 'Jonas', 'Maëlle', 'Pía', 'Søren', 'Noor', 'Émile']
const lastNames = [
  'Martin',
  "O'Neill",
  'Müller',
  'García',
  'Lefèvre',
  'Rossi',
  'Novák',
  'Dupont-Moreau',
  'Smith',
  'Åberg',
]
const homes = [
  { country: 'France', language: 'fr-FR', dial: '06 ' },
  { country: 'United Kingdom', language: 'en-GB', dial: '+44 7400 ' },
  { country: 'Deutschland', language: 'de-DE', dial: '+49 1512 ' },
  { country: 'España', language: 'es-ES', dial: '+34 612 ' },
]
const domains = ['mail.example', 'post.example', 'boutique.example', 'courrier.test', 'example.com']

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
}

function mobile(dial: string, random: () => number): string {
  const digits = () => String(Math.floor(random() * 100)).padStart(2, '0')
  return dial.startsWith('0')
    ? `${dial}${[digits(), digits(), digits(), digits()].join(' ')}`
    : `${dial}${digits()}${digits()}${digits()}`
}

/** `count` contacts with distinct addresses, about half of whom opted in; the same for the same seed. */
export function* generateContacts(count: number, seed = 2026): Generator<Row> {
  const random = seeded(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const maybe = (text: string, chance: number): string => (random() < chance ? text : '')
  for (let n = 1; n <= count; n++) {
    const [first, last, home] = [pick(firstNames), pick(lastNames), pick(homes)]
    const year = 1940 + Math.floor(random() * 66)
    const day = `${String(1 + Math.floor(random() * 12)).padStart(2, '0')}-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`
    yield {
      Email: `${plain(first)}.${plain(last)}.${n}@${pick(domains)}`,
      Title: maybe(pick(titles), 0.7),
      'First name': first,
      'Last name': last,
      Mobile: maybe(mobile(home.dial, random), 0.7),
      'Birth date': maybe(`${year}-${day}`, 0.8),
      Country: home.country,
      Language: home.language,
      Tastes: tastes.filter(() => random() < 0.25).join('|'),
      Spent: maybe((random() * 500).toFixed(2), 0.7),
      'Opt-in': random() < 0.5 ? 'yes' : 'no',
    }
  }
}

function cell(text: string): string {
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A file of the given columns: `;`, CRLF, a header line. */
export function toCsv(rows: Iterable<Partial<Row>>, header: readonly (keyof Row)[] = columns): string {
  let text = `${header.join(';')}\r\n`
  for (const row of rows) text += `${header.map((name) => cell(row[name] ?? '')).join(';')}\r\n`
  return text
}

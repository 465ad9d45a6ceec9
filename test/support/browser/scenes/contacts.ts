import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const FIRST = ['Zoë', 'Ann', 'Omar', 'Björn', 'Inès', 'Chloé', 'Ravi', 'Mei', 'Lucía', 'Tomasz', 'Amara', 'Noor']
const LAST = ['Orchard', 'Håkansson', 'Dubois', 'O’Neill', 'Nakamura', 'Silva', 'Kowalski', 'Abebe']
const TOWNS = ['Lyon', 'Göteborg', 'Porto', 'Kraków', 'Dublin', 'Nantes']

/** A handful of contacts with fields of several types, one unsubscribed, one with a hostile name. */
async function few({ call }: Stage): Promise<undefined> {
  for (const field of [
    { type: 'textField', name: 'First name' },
    { type: 'textField', name: 'Last name' },
    { type: 'textField', name: 'Town' },
    { type: 'numeric', name: 'Points' },
  ])
    await call('POST', '/fields', { body: field })
  for (let index = 0; index < 40; index++) {
    const [first, last] = [FIRST[index % FIRST.length], LAST[(index * 5) % LAST.length]]
    const body = {
      Email: `person${index}@orchard.example`,
      'First name': index === 3 ? '<img src=x onerror=alert(1)>' : first,
      'Last name': index === 4 ? 'اسم عربي' : last,
      Town: TOWNS[(index * 7) % TOWNS.length],
      Points: index % 5 === 0 ? null : (index * 7919) % 25000,
    }
    const { body: contact } = await call('POST', '/targets', { body })
    if (index % 9 === 4) await call('POST', `/targets/${contact.id}/redlist/mail`, { body: {} })
  }
  return undefined
}

export const scenes: Scene[] = [
  {
    name: 'contacts-empty',
    path: '/contacts',
    ready: (page) => page.getByRole('heading', { level: 2 }).waitFor(),
  },
  {
    name: 'contacts',
    path: '/contacts',
    prepare: few,
    ready: (page) => page.getByText('person39@orchard.example').waitFor(),
  },
]

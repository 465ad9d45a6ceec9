import type { Story, StoryAnswer } from '../story.ts'

/** IDs of fields and contacts by their names. */
export interface ShopContacts {
  fields: Record<string, number>
  contacts: Record<string, string>
}

type ContactValues = Record<string, unknown>

const MAYA: ContactValues = {
  Email: 'maya@mailbox.example',
  FirstName: 'Maya',
  LastName: 'Fields',
  Mobile: '+33639980001',
  Birthday: '1991-04-12',
  City: 'Nantes',
  FavouriteTea: 'Oolong',
  Interests: ['Recipes', 'Tastings'],
  Orders: 7,
  Spent: 184.5,
  Newsletter: 'Yes',
}

/** A contact of the shop in a row. */
const person = (FirstName: string, LastName: string, Mobile: string, more: ContactValues): ContactValues => ({
  Email: `${FirstName.toLowerCase()}@mailbox.example`,
  FirstName,
  LastName,
  Mobile,
  Newsletter: 'Yes',
  ...more,
})

const OTHERS: readonly ContactValues[] = [
  person('Tom', 'Rivers', '+33639980002', { City: 'Rennes', FavouriteTea: 'Assam', Orders: 2, Spent: 41 }),
  person('Lucy', 'Stone', '+33639980003', { City: 'Nantes', FavouriteTea: 'Sencha', Orders: 12, Spent: 390.2 }),
  person('Omar', 'Hill', '+33639980004', { City: 'Brest', FavouriteTea: 'Oolong', Orders: 5, Spent: 122.75 }),
  person('Ada', 'Brook', '+33639980005', { City: 'Vannes', FavouriteTea: 'Darjeeling', Orders: 1, Spent: 18 }),
  person('Ben', 'Wood', '+33639980006', { City: 'Rennes', FavouriteTea: 'Assam', Orders: 3, Spent: 67.4 }),
  person('Priya', 'Lake', '+33639980007', { City: 'Vannes', FavouriteTea: 'Oolong', Orders: 9, Spent: 260 }),
  person('Sam', 'Meadow', '+33639980008', { City: 'Brest', FavouriteTea: 'Sencha', Orders: 4, Spent: 96.1 }),
]

const TEAS = ['Assam', 'Darjeeling', 'Oolong', 'Sencha']

async function createFields({ call }: Story): Promise<Record<string, number>> {
  const list = async (name: string, labels: readonly string[], shown = false): Promise<number> =>
    (await call('createValueList', { body: { name, values: labels.map((value) => ({ value })) }, shown })).id
  const teas = await list('Teas', TEAS, true)
  const interests = await list('Interests', ['Recipes', 'Tastings', 'Teapots'])
  const answers = await list('Yes or no', ['Yes', 'No'])
  await call('listValueLists', {})
  await call('getValueList', { path: { id: teas } })
  const values = [...TEAS, 'Rooibos'].map((value, index) => ({ index: index + 1, value }))
  await call('updateValueList', { path: { id: teas }, body: { name: 'Teas', ordered: true, values } })
  const definitions: [string, string, object?][] = [
    ['FirstName', 'textField'],
    ['LastName', 'textField'],
    ['Mobile', 'phone'],
    ['Birthday', 'date'],
    ['City', 'textField'],
    ['FavouriteTea', 'singleSelectList', { valueListId: teas }],
    ['Interests', 'multipleSelectList', { valueListId: interests }],
    ['Spent', 'numeric'],
    ['Newsletter', 'singleSelectList', { valueListId: answers }],
    ['TimeZone', 'textField'],
  ]
  const orders = {
    type: 'numeric',
    name: 'Orders',
    isMandatory: false,
    isCriterion: true,
    constraint: { operator: 3, value: '0' },
  }
  const fields: Record<string, number> = { Orders: (await call('createField', { body: orders })).id }
  for (const [name, type, more] of definitions)
    fields[name] = (await call('createField', { body: { type, name, ...more }, shown: false })).id
  const listed = await call('listFields')
  fields['Email'] = listed[0].id
  await call('getField', { path: { id: fields['FavouriteTea']! } })
  await call('updateField', { path: { id: fields['Orders']! }, body: { name: 'Orders', isCriterion: true } })
  await call('listValueListLinks', { path: { id: teas } })
  return fields
}

async function changeSettings({ call }: Story): Promise<void> {
  await call('updateContactSettings', {
    body: {
      defaultCountry: 'FRA',
      timeZone: 'Europe/Paris',
      dateOrder: 'dmy',
      decimalMark: 'point',
      softBounce: { count: 5, days: 30 },
    },
  })
  await call('getContactSettings')
}

async function createContacts({ call }: Story): Promise<Record<string, string>> {
  const contacts: Record<string, string> = { Maya: (await call('createTarget', { body: MAYA })).id }
  const created: StoryAnswer[] = await call('updateTargets', { body: OTHERS.slice(0, 2), shown: false })
  created.push(...(await call('updateTargets', { body: OTHERS.slice(2), shown: false })))
  for (const [index, { FirstName }] of OTHERS.entries()) {
    const { id } = await call('getTargets', { query: { unicity: String(OTHERS[index]!['Email']) }, shown: false })
    contacts[String(FirstName)] = id
  }
  return contacts
}

async function lookAndChange({ call }: Story, { fields, contacts }: ShopContacts): Promise<void> {
  const maya = contacts['Maya']!
  await call('updateTargets', {
    body: [
      { Email: 'maya@mailbox.example', Orders: 8, Spent: 203.5 },
      { Email: 'tom@mailbox.example', City: 'Saint-Malo' },
    ],
  })
  await call('getTargets', {
    query: { fields: `${fields['Email']},${fields['FirstName']},${fields['City']}`, limit: 2 },
  })
  await call('countTargets')
  await call('getTarget', { path: { id: maya } })
  await call('updateTarget', { path: { id: maya }, body: { City: 'Lorient', FavouriteTea: 'Sencha' } })
  await call('resolveTargets', {
    body: [
      { type: 'unicity', value: ['tom@mailbox.example'] },
      { type: 'id', value: maya },
    ],
  })
  await call('searchTargets', {
    body: {
      criteria: { all: [{ type: 'field', field: fields['Orders'], operator: 'greaterOrEqual', value: 5 }] },
      sort: { by: fields['Spent'], order: 'desc' },
      fields: [fields['Email'], fields['FirstName'], fields['Spent']],
      limit: 2,
    },
  })
  await call('search', { query: { q: 'maya', limit: 5 } })
  await call('getTargetGrowth', { query: {} })
}

/** Contacts who want nothing more, or whose address fails. */
async function suppress({ call, calendar }: Story, { fields, contacts }: ShopContacts): Promise<void> {
  const [ben, sam] = [contacts['Ben']!, contacts['Sam']!]
  const timestamp = calendar.timeAhead('2026-09-07T07:45:00Z')
  await call('addTargetToMailRedList', {
    path: { id: ben },
    body: { timestamp, origin: 1, detail: { reason: 'Asked at the till' } },
  })
  await call('listMailRedList')
  await call('removeTargetFromMailRedList', { path: { id: ben }, body: { reason: 'Subscribed again in the shop' } })
  await call('addTargetToSmsRedList', {
    path: { id: sam },
    body: { timestamp, origin: 1, detail: { reason: 'Asked by phone' } },
  })
  await call('listSmsRedList')
  await call('removeTargetFromSmsRedList', { path: { id: sam }, body: { reason: 'Subscribed again by phone' } })
  const bounce = { id: ben, fieldId: fields['Email']! }
  const flag = { type: 'hardUser', detail: { message: '550 5.1.1 No such mailbox' }, timestamp }
  await call('setTargetBounce', { path: bounce, body: flag })
  await call('listTargetBounces', { query: { query: `type:hardUser field:${fields['Email']}` } })
  await call('deleteTargetBounce', { path: bounce })
}

export async function tellOfContacts(story: Story): Promise<ShopContacts> {
  await changeSettings(story)
  const fields = await createFields(story)
  const shop = { fields, contacts: await createContacts(story) }
  await lookAndChange(story, shop)
  await suppress(story, shop)
  return shop
}

/** Deletes what nothing uses. */
export async function clearContacts({ call }: Story): Promise<void> {
  const list = await call('createValueList', { body: { name: 'Shops', values: [{ value: 'Nantes' }] }, shown: false })
  await call('deleteValueList', { path: { id: list.id } })
  const field = await call('createField', { body: { type: 'textField', name: 'LoyaltyCard' }, shown: false })
  await call('deleteField', { path: { id: field.id } })
  const rows = ['guest.one', 'guest.two', 'guest.three'].map((name) => ({ Email: `${name}@mailbox.example` }))
  await call('updateTargets', { body: rows, shown: false })
  const foundContact = await call('getTargets', { query: { unicity: rows[0]!.Email }, shown: false })
  await call('deleteTarget', { path: { id: foundContact.id } })
  await call('deleteTargets', { body: { type: 'unicity', value: rows.slice(1).map(({ Email }) => [Email]) } })
}

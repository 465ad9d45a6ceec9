import type { ActionBody } from '../actions/resource/action-schemas.ts'
import type { FieldBody } from '../contacts/fields/field-schemas.ts'
import type { FlatMap } from '../contacts/records/contact-schemas.ts'

/** Names of the sample fields, by what they hold. */
export const sampleFieldNames = {
  firstname: { type: 'textField', name: 'SampleFirstname' },
  city: { type: 'textField', name: 'SampleCity', isCriterion: true },
  orders: { type: 'numeric', name: 'SampleOrders', isCriterion: true },
} as const satisfies Record<string, FieldBody>

const sampleFirstNames = ['Ann', 'Ben', 'Chloé', 'David', 'Elena', 'Farid', 'Grace', 'Hugo', 'Inès', 'Jonas']
const sampleCities = ['Paris', 'Lyon', 'Berlin', 'Madrid']
const CONTACT_COUNT = 40

/** The values of the sample contacts, by the ids of their fields; `email` is the field of the address. */
export function buildSampleContacts(
  email: number,
  ids: Readonly<Record<keyof typeof sampleFieldNames, number>>,
): FlatMap[] {
  return Array.from({ length: CONTACT_COUNT }, (_, n) => ({
    [email]: `sample-${String(n + 1).padStart(2, '0')}@customer.example`,
    [ids.firstname]: sampleFirstNames[n % sampleFirstNames.length] ?? '',
    [ids.city]: sampleCities[Math.floor(n / sampleFirstNames.length) % sampleCities.length] ?? '',
    [ids.orders]: (n * 7) % 12,
  }))
}

const SAMPLE_HTML = `<html><body style="font-family: sans-serif">
<h1>Hello {{ contact.SampleFirstname }}</h1>
<p>This is a sample newsletter: change it, test it, and see how it looks.</p>
<p><a href="https://shop.example/news" dataminingname="news">Read on</a></p>
<p>You receive this because you live in {{ contact.SampleCity }}.</p>
</body></html>`

/** The sample campaign, to the contacts of a segment. */
export function buildSampleAction(segment: number): ActionBody {
  return {
    type: 'mailCampaign',
    name: 'Sample newsletter',
    description: 'Sample data: it goes with the rest of it.',
    content: { subject: '{{ contact.SampleFirstname }}, a sample for you', html: SAMPLE_HTML },
    scheduler: { type: 'asap', segments: { selected: [segment], excluded: [] } },
  }
}

import type { BenchService } from './service.ts'

/** Labels of the field `city`. */
export const CITIES = Array.from({ length: 50 }, (_, n) => `City ${n}`)

/** Ids of the fields of a contact, by what they hold. */
export type Fields = Record<'email' | 'name' | 'phone' | 'city' | 'spend' | 'born', number>

/** Makes the fields beside the address: a text, a phone, one of a list, a number, a date. */
export async function createFields({ client }: BenchService): Promise<Fields> {
  const made = async (path: string, body: object) => (await client.call<{ id: number }>('POST', path, body)).id
  const valueListId = await made('/valueLists', { name: 'Cities', values: CITIES.map((value) => ({ value })) })
  const [email] = await client.call<{ id: number }[]>('GET', '/fields')
  return {
    email: email?.id ?? 0,
    name: await made('/fields', { type: 'textField', name: 'Full name' }),
    phone: await made('/fields', { type: 'phone', name: 'Mobile' }),
    city: await made('/fields', { type: 'singleSelectList', name: 'City', valueListId }),
    spend: await made('/fields', { type: 'numeric', name: 'Spend' }),
    born: await made('/fields', { type: 'date', name: 'Born' }),
  }
}

import assert from 'node:assert/strict'
import type { Harness } from '../harness.ts'

/** What a message can be in, beside cancelled. */
const BALANCE = ['sent', 'refused', 'held', 'postponed', 'deferred', 'waiting'] as const

// biome-ignore lint/suspicious/noExplicitAny: an answer.
export type Shown = any

export const sum = (counts: { count: number }[]): number => counts.reduce((all, { count }) => all + count, 0)

/** Reads reports of what is below a path, and compares their numbers with each other and with their lists. */
export function reportTools({ call }: Pick<Harness, 'call'>, family: string) {
  async function read(path: string): Promise<Shown> {
    const answer = await call('GET', path)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const report = (id: string | number, query = ''): Promise<Shown> => read(`${family}/${id}/report${query}`)
  const behind = (id: string | number, of: string, more = ''): Promise<Shown[]> =>
    read(`${family}/${id}/report/contacts?of=${encodeURIComponent(of)}${more}`)

  /** Every message is in exactly one number. */
  async function assertBalance(id: string | number, query = ''): Promise<Shown> {
    const shown = await report(id, query)
    const parts = BALANCE.reduce((all, name) => all + shown[name], 0)
    assert.equal(shown.audience, parts + sum(shown.cancelled), JSON.stringify(shown))
    return shown
  }

  /** So it is, and behind each number is a list as long. */
  async function assertLists(id: string | number, query = ''): Promise<Shown> {
    const shown = await assertBalance(id, query)
    const numbers: [string, number][] = [
      ['audience', shown.audience],
      ...BALANCE.map((name): [string, number] => [name, shown[name]]),
      ['cancelled', sum(shown.cancelled)],
      ...shown.cancelled.map(({ type, count }: { type: string; count: number }) => [`cancelled:${type}`, count]),
      ...(shown.delivered === null ? [] : [['delivered', shown.delivered] as [string, number]]),
      ['opens', shown.opens.contacts],
      ['clicks', shown.clicks.contacts],
      ...shown.links.map((link: { id: number; contacts: number }) => [`link:${link.id}`, link.contacts]),
      ['unsubscribes', shown.unsubscribes],
      ['complaints', shown.complaints],
      ['replies', shown.replies],
      ['bounces', sum(shown.bounces)],
    ]
    for (const [of, count] of numbers)
      assert.equal((await behind(id, of, query.replace('?', '&'))).length, count, `${of} of ${JSON.stringify(shown)}`)
    return shown
  }

  return { read, report, behind, assertBalance, assertLists }
}

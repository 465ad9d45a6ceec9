import { queryOptions, useQuery } from '@tanstack/react-query'
import { account, api, data } from '../../api/client.ts'
import { keep, readKept } from '../../layout/preferences.ts'
import { domainsQuery } from '../deliverability/domain-records.ts'
import { gatewaysQuery } from '../gateways/model.ts'
import type { Step } from './routes.ts'
import { readFacts, readSender } from './stored.ts'

const TESTED = `set-up.tested.${account}`

/** Remembers, in this browser, that a test mail left. */
export const keepTested = (): void => keep(TESTED, true)

const contactsQuery = queryOptions({
  queryKey: ['set-up', 'contacts'],
  queryFn: async ({ signal }) => (await data(api.POST('/targets/search', { body: { limit: 1 }, signal }))).total > 0,
})

/** The steps of set-up that need nothing more, as far as can be told. */
export function useDone(): ReadonlySet<Step> {
  const facts = useQuery({ queryKey: ['set-up', 'done', 'account'], queryFn: readFacts }).data?.data
  const sender = useQuery({ queryKey: ['set-up', 'done', 'sender'], queryFn: readSender }).data?.data
  const domains = useQuery(domainsQuery).data
  const gateways = useQuery(gatewaysQuery).data
  const hasContacts = useQuery(contactsQuery).data
  const done: Record<Step, boolean> = {
    account: facts !== undefined && facts.name !== '' && facts.name !== account,
    domain: (domains?.length ?? 0) > 0,
    sender: Boolean(sender?.label || sender?.prefix),
    gateway: gateways?.some(({ channel, carries }) => channel === 'email' && carries) ?? false,
    test: readKept(TESTED, false),
    contacts: hasContacts ?? false,
  }
  return new Set((Object.keys(done) as Step[]).filter((step) => done[step]))
}

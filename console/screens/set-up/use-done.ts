import { queryOptions, useQuery } from '@tanstack/react-query'
import { accountId, apiClient, readAnswer } from '../../api/client.ts'
import { readLocalPreference, storeLocalPreference } from '../../layout/preferences.ts'
import { domainsQuery } from '../deliverability/domain-records.ts'
import { gatewaysQuery } from '../gateways/model.ts'
import type { SetUpStep } from './routes.ts'
import { readAccountLocale, readSender } from './stored.ts'

const TESTED = `set-up.tested.${accountId}`

/** Remembers, in this browser, that a test mail left. */
export const storeTestMailSent = (): void => storeLocalPreference(TESTED, true)

const contactsQuery = queryOptions({
  queryKey: ['set-up', 'contacts'],
  queryFn: async ({ signal }) =>
    (await readAnswer(apiClient.POST('/targets/search', { body: { limit: 1 }, signal }))).total > 0,
})

/** The steps of set-up that need nothing more, as far as can be told. */
export function useFinishedSteps(): ReadonlySet<SetUpStep> {
  const facts = useQuery({ queryKey: ['set-up', 'done', 'account'], queryFn: readAccountLocale }).data?.data
  const sender = useQuery({ queryKey: ['set-up', 'done', 'sender'], queryFn: readSender }).data?.data
  const domains = useQuery(domainsQuery).data
  const gateways = useQuery(gatewaysQuery).data
  const hasContacts = useQuery(contactsQuery).data
  const done: Record<SetUpStep, boolean> = {
    account: facts !== undefined && facts.name !== '' && facts.name !== accountId,
    domain: (domains?.length ?? 0) > 0,
    sender: Boolean(sender?.label || sender?.prefix),
    gateway: gateways?.some(({ channel, carries }) => channel === 'email' && carries) ?? false,
    test: readLocalPreference(TESTED, false),
    contacts: hasContacts ?? false,
  }
  return new Set((Object.keys(done) as SetUpStep[]).filter((step) => done[step]))
}

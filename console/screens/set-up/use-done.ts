import { queryOptions, useQuery } from '@tanstack/react-query'
import { accountId, apiClient } from '../../api/client.ts'
import { readLocalPreference, storeLocalPreference } from '../../layout/preferences.ts'
import { domainsQuery } from '../deliverability/domain-records.ts'
import { gatewaysQuery } from '../gateways/model.ts'
import type { SetUpStep } from './address.ts'
import { readAccountLocale, readSender } from './stored.ts'

const TESTED_STORAGE_KEY = `set-up.tested.${accountId}`

/** Remembers, in this browser, that a test mail left. */
export const storeTestMailSent = (): void => storeLocalPreference(TESTED_STORAGE_KEY, true)

const contactsQuery = queryOptions({
  queryKey: ['set-up', 'contacts'],
  queryFn: async ({ signal }) => (await apiClient.searchTargets({ body: { limit: 1 }, signal })).total > 0,
})

/** Setup steps that need no further action, as far as this can be determined. */
export function useFinishedSteps(): ReadonlySet<SetUpStep> {
  const accountLocale = useQuery({ queryKey: ['set-up', 'done', 'account'], queryFn: readAccountLocale }).data?.data
  const mailSender = useQuery({ queryKey: ['set-up', 'done', 'sender'], queryFn: readSender }).data?.data
  const domainList = useQuery(domainsQuery).data
  const gatewayList = useQuery(gatewaysQuery).data
  const hasContacts = useQuery(contactsQuery).data
  const finishedByStep: Record<SetUpStep, boolean> = {
    account: accountLocale !== undefined && accountLocale.name !== '' && accountLocale.name !== accountId,
    domain: (domainList?.length ?? 0) > 0,
    sender: Boolean(mailSender?.label || mailSender?.prefix),
    gateway: gatewayList?.some(({ channel, carries }) => channel === 'email' && carries) ?? false,
    test: readLocalPreference(TESTED_STORAGE_KEY, false),
    contacts: hasContacts ?? false,
  }
  return new Set((Object.keys(finishedByStep) as SetUpStep[]).filter((step) => finishedByStep[step]))
}

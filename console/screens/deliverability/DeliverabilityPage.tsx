import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import { Page } from '../../components/layout/Page.tsx'
import { useText } from '../../text/catalogue.ts'
import { deliverabilityTexts } from './texts.ts'

/** Around the parts of deliverability: how mail fares, what waits, what is in doubt, domains. */
export function DeliverabilityPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useText(deliverabilityTexts)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [isAdmin, maySend] = [useMay('admin'), useMay('send')]
  const tab = (key: 'destinations' | 'queues' | 'held' | 'domains', to: string) => ({
    label: t(key),
    to,
    isOpen: path === to,
  })
  const tabs = [
    tab('destinations', '/deliverability'),
    ...(isAdmin ? [tab('queues', '/deliverability/queues')] : []),
    ...(maySend ? [tab('held', '/deliverability/held')] : []),
    tab('domains', '/deliverability/domains'),
  ]
  return (
    <Page title={t('title')} tabs={tabs} action={action}>
      {children}
    </Page>
  )
}

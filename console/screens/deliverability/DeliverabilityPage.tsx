import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasRight } from '../../api/me.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { deliverabilityTexts } from './texts.ts'

/** Around the parts of deliverability: how mail fares, what waits, what is in doubt, domains. */
export function DeliverabilityPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useTranslator(deliverabilityTexts)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [isAdmin, maySend] = [useHasRight('admin'), useHasRight('send')]
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
    <ScreenPage title={t('title')} tabs={tabs} action={action}>
      {children}
    </ScreenPage>
  )
}

import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type en from './en.ts'
import { settingsScreenTexts } from './texts.ts'

/** Pages of the settings; the left bar leads to each. */
const SETTINGS_PARTS: readonly { key: keyof typeof en; to: string }[] = [
  { key: 'profile', to: '/settings' },
  { key: 'account', to: '/settings/account' },
  { key: 'people', to: '/settings/people' },
  { key: 'sending', to: '/settings/sending' },
  { key: 'gateways', to: '/settings/gateways' },
  { key: 'rcsProfiles', to: '/settings/rcs' },
  { key: 'events', to: '/settings/events' },
  { key: 'contacts', to: '/settings/contacts' },
  { key: 'audit', to: '/settings/audit' },
]

/** One page of the settings, named for its part. */
export function SettingsPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useTranslator(settingsScreenTexts)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const openPart = SETTINGS_PARTS.find(({ to }) => to === path)
  return (
    <ScreenPage
      title={t(openPart?.key ?? 'settings')}
      {...(path !== '/settings' && { parent: { label: t('settings'), to: '/settings' } })}
      action={action}
    >
      {children}
    </ScreenPage>
  )
}

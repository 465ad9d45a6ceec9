import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiRefusal } from '../../api/refusal.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { PublicPageCard } from './PublicPageCard.tsx'
import { signInTexts } from './texts.ts'

/** Target of a link; if the link was used, has expired or never existed, a notice instead. */
export function ExpiredLink({ error, children }: { error: unknown; children: ReactNode }) {
  const t = useTranslator(signInTexts)
  const isExpired = error instanceof ApiRefusal && (error.status === 404 || error.status === 410)
  if (!isExpired) return children
  return (
    <PublicPageCard title={t('linkOver')} lead={t('linkOverWhy')}>
      <Anchor href="/console/sign-in" size="sm">
        {t('back')}
      </Anchor>
    </PublicPageCard>
  )
}

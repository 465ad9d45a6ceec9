import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiRefusal } from '../../api/refusal.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { PublicPageCard } from './PublicPageCard.tsx'
import { signInTexts } from './texts.ts'

/** What a link leads to, unless it was used, is too old, or never was one. */
export function ExpiredLink({ error, children }: { error: unknown; children: ReactNode }) {
  const t = useTranslator(signInTexts)
  const isOver = error instanceof ApiRefusal && (error.status === 404 || error.status === 410)
  if (!isOver) return children
  return (
    <PublicPageCard title={t('linkOver')} lead={t('linkOverWhy')}>
      <Anchor href="/console/sign-in" size="sm">
        {t('back')}
      </Anchor>
    </PublicPageCard>
  )
}

import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Refusal } from '../../api/refusal.ts'
import { useText } from '../../text/catalogue.ts'
import { Door } from './Door.tsx'
import { signInTexts } from './texts.ts'

/** What a link leads to, unless it was used, is too old, or never was one. */
export function LinkOver({ error, children }: { error: unknown; children: ReactNode }) {
  const t = useText(signInTexts)
  const isOver = error instanceof Refusal && (error.status === 404 || error.status === 410)
  if (!isOver) return children
  return (
    <Door title={t('linkOver')} lead={t('linkOverWhy')}>
      <Anchor href="/console/sign-in" size="sm">
        {t('back')}
      </Anchor>
    </Door>
  )
}

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasRight } from '../../api/me.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { pressureTexts } from './texts.ts'

/** How often one contact may be written to: rules, and the topics that they may ask for. */
export function PressurePage({ part, children }: { part: 'rules' | 'topics' | 'limited'; children: ReactNode }) {
  const t = useTranslator(pressureTexts)
  const mayChange = useHasRight('admin')
  const to: string = part === 'rules' ? '/pressure/new' : '/pressure/topics/new'
  const create = (
    <Button renderRoot={(props) => <Link to={to} {...props} />}>{t(part === 'rules' ? 'newRule' : 'newTopic')}</Button>
  )
  return (
    <ScreenPage
      title={t('title')}
      note={t('titleWhy')}
      {...(mayChange && part !== 'limited' && { action: create })}
      tabs={[
        { label: t('rules'), to: '/pressure', isOpen: part === 'rules' },
        { label: t('topics'), to: '/pressure/topics', isOpen: part === 'topics' },
        { label: t('limited'), to: '/pressure/limited', isOpen: part === 'limited' },
      ]}
    >
      {children}
    </ScreenPage>
  )
}

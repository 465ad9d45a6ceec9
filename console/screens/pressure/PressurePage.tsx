import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasRight } from '../../api/me.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { pressureTexts } from './texts.ts'

/** Frequency limits for contacts: rules, and the topics that rules can refer to. */
export function PressurePage({ part, children }: { part: 'rules' | 'topics' | 'limited'; children: ReactNode }) {
  const t = useTranslator(pressureTexts)
  const mayChange = useHasRight('admin')
  const createPath: string = part === 'rules' ? '/pressure/new' : '/pressure/topics/new'
  const createButton = (
    <Button renderRoot={(props) => <Link to={createPath} {...props} />}>
      {t(part === 'rules' ? 'newRule' : 'newTopic')}
    </Button>
  )
  return (
    <ScreenPage
      title={t('title')}
      note={t('titleWhy')}
      {...(mayChange && part !== 'limited' && { action: createButton })}
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

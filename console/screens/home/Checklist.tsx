import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { accountId } from '../../api/client.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { readLocalPreference, storeLocalPreference } from '../../layout/preferences.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useFinishedSteps } from '../set-up/use-done.ts'
import styles from './HomePage.module.css'
import { homeTexts } from './texts.ts'

const SKIPPED_STORAGE_KEY = `home.skipped.${accountId}`

const CHECKLIST_STEPS = [
  { key: 'sender', to: '/set-up', search: { step: 'account' }, needs: ['account', 'sender'] },
  { key: 'domain', to: '/set-up', search: { step: 'domain' }, needs: ['domain'] },
  { key: 'gateway', to: '/set-up', search: { step: 'gateway' }, needs: ['gateway'] },
  { key: 'contacts', to: '/set-up', search: { step: 'contacts' }, needs: ['contacts'] },
  { key: 'campaign', to: '/messages', search: {}, needs: null },
] as const

type ChecklistKey = (typeof CHECKLIST_STEPS)[number]['key']

/** Steps to the first campaign: ticked by what the service knows, each can be skipped. */
export default function Checklist() {
  const t = useTranslator(homeTexts)
  const finishedSteps = useFinishedSteps()
  const [skipped, setSkipped] = useState<readonly ChecklistKey[]>(() => readLocalPreference(SKIPPED_STORAGE_KEY, []))
  const isDone = ({ needs }: (typeof CHECKLIST_STEPS)[number]): boolean =>
    needs?.every((step) => finishedSteps.has(step)) ?? false
  const nextStep = CHECKLIST_STEPS.find((step) => !isDone(step) && !skipped.includes(step.key))
  const changeSkipped = (keys: readonly ChecklistKey[]): void => {
    setSkipped(keys)
    storeLocalPreference(SKIPPED_STORAGE_KEY, keys)
  }
  const doneCount = CHECKLIST_STEPS.filter(isDone).length
  return (
    <PagePanel
      title={t('checklist')}
      tools={<small>{t('of', { done: doneCount, total: CHECKLIST_STEPS.length })}</small>}
    >
      <ol className={styles['checklist']}>
        {CHECKLIST_STEPS.map((step, place) => {
          const { key, to, search } = step
          const isSkipped = skipped.includes(key) && !isDone(step)
          return (
            <li key={key} data-done={isDone(step) || undefined} data-skipped={isSkipped || undefined}>
              <span className={styles['tick']} aria-hidden>
                {isDone(step) ? <IconCheck size={14} /> : place + 1}
              </span>
              <div>
                <strong>
                  {t(`step_${key}`)}
                  {isDone(step) && <VisuallyHidden> {t('done')}</VisuallyHidden>}
                </strong>
                <p>{t(`step_${key}Why`)}</p>
              </div>
              <div className={styles['acts']}>
                {!isDone(step) && key !== 'campaign' && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="gray"
                    onClick={() =>
                      changeSkipped(isSkipped ? skipped.filter((other) => other !== key) : [...skipped, key])
                    }
                  >
                    {t(isSkipped ? 'unskip' : 'skip')}
                  </Button>
                )}
                <Button
                  size="compact-sm"
                  variant={step === nextStep ? 'filled' : 'default'}
                  renderRoot={(props) => <Link to={to} search={search as never} {...props} />}
                >
                  {t(isDone(step) ? 'change' : `step_${key}Do`)}
                </Button>
              </div>
            </li>
          )
        })}
      </ol>
    </PagePanel>
  )
}

import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ComponentType, useRef } from 'react'
import { Page } from '../../components/layout/Page.tsx'
import { useText } from '../../text/catalogue.ts'
import { AccountStep } from './AccountStep.tsx'
import { ContactsStep } from './ContactsStep.tsx'
import { DomainStep } from './DomainStep.tsx'
import { GatewayStep } from './GatewayStep.tsx'
import { type Step, steps } from './routes.ts'
import { SenderStep } from './SenderStep.tsx'
import styles from './SetUp.module.css'
import type { SaveFirst } from './save-first.ts'
import { TestStep } from './TestStep.tsx'
import { setUpTexts } from './texts.ts'
import { useDone } from './use-done.ts'

const route = getRouteApi('/set-up')

const PARTS: Record<Step, ComponentType<{ saveFirst: SaveFirst }>> = {
  account: AccountStep,
  domain: DomainStep,
  sender: SenderStep,
  gateway: GatewayStep,
  test: TestStep,
  contacts: ContactsStep,
}

/** From nothing to a test mail in one's own mailbox; each step can be left and taken up again, also later. */
export function SetUp() {
  const t = useText(setUpTexts)
  const { step = 'account' } = route.useSearch()
  const Part = PARTS[step]
  const done = useDone()
  const saveFirst: SaveFirst = useRef(null)
  const navigate = route.useNavigate()
  const next = steps[steps.indexOf(step) + 1]
  const goOn = async (to: Step): Promise<void> => {
    if ((await saveFirst.current?.()) ?? true) await navigate({ search: { step: to } })
  }
  return (
    <Page title={t('title')}>
      <div className={styles['layout']}>
        <nav aria-label={t('steps')}>
          <ol className={styles['steps']}>
            {steps.map((one, place) => (
              <li key={one}>
                <Link to="/set-up" search={{ step: one }} aria-current={one === step ? 'step' : undefined}>
                  <span className={styles['number']} data-done={done.has(one) || undefined} aria-hidden>
                    {done.has(one) ? <IconCheck size={13} /> : place + 1}
                  </span>
                  {t(one)}
                  {done.has(one) && <VisuallyHidden>{t('done')}</VisuallyHidden>}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <section className={styles['part']} aria-labelledby="step">
          <h2 id="step">{t(step)}</h2>
          <Part key={step} saveFirst={saveFirst} />
          <footer className={styles['foot']}>
            {next ? (
              <Button variant="default" onClick={() => void goOn(next)}>
                {`${t('next')} · ${t(next)}`}
              </Button>
            ) : (
              <Button component={Link} to="/">
                {t('skip')}
              </Button>
            )}
          </footer>
        </section>
      </div>
    </Page>
  )
}

import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ComponentType, useRef } from 'react'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { AccountStep } from './AccountStep.tsx'
import { type SetUpStep, setUpSteps } from './address.ts'
import { ContactsStep } from './ContactsStep.tsx'
import { DomainStep } from './DomainStep.tsx'
import { GatewayStep } from './GatewayStep.tsx'
import { SenderStep } from './SenderStep.tsx'
import styles from './SetUpPage.module.css'
import type { SaveBeforeNextStep } from './save-first.ts'
import { TestStep } from './TestStep.tsx'
import { setUpTexts } from './texts.ts'
import { useFinishedSteps } from './use-done.ts'

const route = getRouteApi('/set-up')

const STEP_COMPONENTS: Record<SetUpStep, ComponentType<{ saveFirst: SaveBeforeNextStep }>> = {
  account: AccountStep,
  domain: DomainStep,
  sender: SenderStep,
  gateway: GatewayStep,
  test: TestStep,
  contacts: ContactsStep,
}

/** From nothing to a test mail in one's own mailbox; each step can be left and taken up again, also later. */
export function SetUpPage() {
  const t = useTranslator(setUpTexts)
  const { step = 'account' } = route.useSearch()
  const StepComponent = STEP_COMPONENTS[step]
  const finishedSteps = useFinishedSteps()
  const saveFirst: SaveBeforeNextStep = useRef(null)
  const navigate = route.useNavigate()
  const nextStep = setUpSteps[setUpSteps.indexOf(step) + 1]
  const continueTo = async (to: SetUpStep): Promise<void> => {
    if ((await saveFirst.current?.()) ?? true) await navigate({ search: { step: to } })
  }
  return (
    <ScreenPage title={t('title')}>
      <div className={styles['layout']}>
        <nav aria-label={t('steps')}>
          <ol className={styles['steps']}>
            {setUpSteps.map((setUpStep, place) => (
              <li key={setUpStep}>
                <Link to="/set-up" search={{ step: setUpStep }} aria-current={setUpStep === step ? 'step' : undefined}>
                  <span className={styles['number']} data-done={finishedSteps.has(setUpStep) || undefined} aria-hidden>
                    {finishedSteps.has(setUpStep) ? <IconCheck size={13} /> : place + 1}
                  </span>
                  {t(setUpStep)}
                  {finishedSteps.has(setUpStep) && <VisuallyHidden>{t('done')}</VisuallyHidden>}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <section className={styles['part']} aria-labelledby="step">
          <h2 id="step">{t(step)}</h2>
          <StepComponent key={step} saveFirst={saveFirst} />
          <footer className={styles['foot']}>
            {nextStep ? (
              <Button variant="default" onClick={() => void continueTo(nextStep)}>
                {`${t('next')} · ${t(nextStep)}`}
              </Button>
            ) : (
              <Button component={Link} to="/">
                {t('skip')}
              </Button>
            )}
          </footer>
        </section>
      </div>
    </ScreenPage>
  )
}

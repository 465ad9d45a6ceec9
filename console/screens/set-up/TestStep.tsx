import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './SetUpPage.module.css'
import { setUpTexts } from './texts.ts'
import { storeTestMailSent } from './use-done.ts'

type TestMailAnswer = ApiAnswer<'sendTestMessage'>

function TestOutcome({ sent: { result, detail, to, captured } }: { sent: TestMailAnswer }) {
  const t = useTranslator(setUpTexts)
  if (captured !== null) {
    return (
      <p className={styles['fine']}>
        {t('captured')}{' '}
        <Link to="/captured" search={{ id: captured }}>
          {t('capturedOpen')}
        </Link>
      </p>
    )
  }
  const isAccepted = result === 'accepted'
  return (
    <p className={styles[isAccepted ? 'fine' : 'notice']} role="status">
      {isAccepted ? t('testDone', { to }) : t('testNot')} {detail}
    </p>
  )
}

/** One mail to oneself: what the receiving side said, or what was captured. */
export function TestStep() {
  const t = useTranslator(setUpTexts)
  const [testAnswer, setTestAnswer] = useState<TestMailAnswer>()
  const { error, isBusy, run } = useAsyncAction(async () => {
    setTestAnswer(await apiClient.sendTestMessage({ body: { channel: 'email' } }))
    storeTestMailSent()
  })
  return (
    <>
      <p>{t('testWhy')}</p>
      <div>
        <Button loading={isBusy} onClick={() => void run()}>
          {t('testSend')}
        </Button>
      </div>
      {error !== null && <ProblemAlert error={error} />}
      {testAnswer && !isBusy && <TestOutcome sent={testAnswer} />}
    </>
  )
}

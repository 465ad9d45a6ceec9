import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './SetUp.module.css'
import { setUpTexts } from './texts.ts'
import { keepTested } from './use-done.ts'

type Sent = Answer<'/settings/sending/test', 'post'>

function Outcome({ sent: { result, detail, to, captured } }: { sent: Sent }) {
  const t = useText(setUpTexts)
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
  const t = useText(setUpTexts)
  const [sent, setSent] = useState<Sent>()
  const { error, isBusy, run } = useAct(async () => {
    setSent(await data(api.POST('/settings/sending/test', { body: { channel: 'email' } })))
    keepTested()
  })
  return (
    <>
      <p>{t('testWhy')}</p>
      <div>
        <Button loading={isBusy} onClick={() => void run()}>
          {t('testSend')}
        </Button>
      </div>
      {error !== null && <Problem error={error} />}
      {sent && !isBusy && <Outcome sent={sent} />}
    </>
  )
}

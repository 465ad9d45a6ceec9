import { Button } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './GatewaysPage.module.css'
import { gatewayTexts } from './texts.ts'

/** Connects as sending would, and says what the far side answered; nothing is sent. */
export function ConnectionTest({ id }: { id: number }) {
  const t = useTranslator(gatewayTexts)
  const [testResult, setTestResult] = useState<ApiAnswer<'testGateway'>>()
  const { isBusy, error, run } = useAsyncAction(async () => {
    setTestResult(undefined)
    setTestResult(await apiClient.testGateway({ path: { id: String(id) } }))
  })
  return (
    <div className={styles['group']}>
      <div>
        <Button variant="default" loading={isBusy} onClick={() => void run()}>
          {t('test')}
        </Button>
      </div>
      <div role="status" className={styles['group']}>
        {testResult && (
          <>
            <span>
              <StateBadge tone={testResult.ok ? 'good' : 'bad'}>{t(testResult.ok ? 'works' : 'fails')}</StateBadge>{' '}
              <small>{t('ms_took', { ms: testResult.durationMs })}</small>
            </span>
            <p className={styles['said']}>{testResult.detail}</p>
          </>
        )}
      </div>
      {error !== null && <ProblemAlert error={error} />}
    </div>
  )
}

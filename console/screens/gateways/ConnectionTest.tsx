import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { gatewayTestKey } from './GatewayStateBadge.tsx'
import styles from './GatewaysPage.module.css'
import { gatewayTexts } from './texts.ts'

/** Connects as sending would, and says what the far side answered; nothing is sent. */
export function ConnectionTest({ id }: { id: number }) {
  const t = useTranslator(gatewayTexts)
  const queryClient = useQueryClient()
  const [testResult, setTestResult] = useState<ApiAnswer<'testGateway'>>()
  const { isBusy, error, run } = useAsyncAction(async () => {
    setTestResult(undefined)
    const result = await apiClient.testGateway({ path: { id: String(id) } })
    queryClient.setQueryDefaults(gatewayTestKey(id), { gcTime: Number.POSITIVE_INFINITY })
    queryClient.setQueryData(gatewayTestKey(id), result)
    setTestResult(result)
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

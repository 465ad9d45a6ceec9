import { Button } from '@mantine/core'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
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
  const [tried, setTried] = useState<ApiAnswer<'/gateways/{id}/test', 'post'>>()
  const { isBusy, error, run } = useAsyncAction(async () => {
    setTried(undefined)
    setTried(await readAnswer(apiClient.POST('/gateways/{id}/test', { params: { path: { id: String(id) } } })))
  })
  return (
    <div className={styles['group']}>
      <div>
        <Button variant="default" loading={isBusy} onClick={() => void run()}>
          {t('test')}
        </Button>
      </div>
      <div role="status" className={styles['group']}>
        {tried && (
          <>
            <span>
              <StateBadge tone={tried.ok ? 'good' : 'bad'}>{t(tried.ok ? 'works' : 'fails')}</StateBadge>{' '}
              <small>{t('ms_took', { ms: tried.durationMs })}</small>
            </span>
            <p className={styles['said']}>{tried.detail}</p>
          </>
        )}
      </div>
      {error !== null && <ProblemAlert error={error} />}
    </div>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Gateways.module.css'
import { gatewayTexts } from './texts.ts'

/** Connects as sending would, and says what the far side answered; nothing is sent. */
export function ConnectionTest({ id }: { id: number }) {
  const t = useText(gatewayTexts)
  const [tried, setTried] = useState<Answer<'/gateways/{id}/test', 'post'>>()
  const { isBusy, error, run } = useAct(async () => {
    setTried(undefined)
    setTried(await data(api.POST('/gateways/{id}/test', { params: { path: { id: String(id) } } })))
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
              <Badge tone={tried.ok ? 'good' : 'bad'}>{t(tried.ok ? 'works' : 'fails')}</Badge>{' '}
              <small>{t('ms_took', { ms: tried.durationMs })}</small>
            </span>
            <p className={styles['said']}>{tried.detail}</p>
          </>
        )}
      </div>
      {error !== null && <Problem error={error} />}
    </div>
  )
}

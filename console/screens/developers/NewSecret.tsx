import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { developerTexts } from './texts.ts'
import type { WebhookRow } from './webhook-state.tsx'

/** Another secret, shown this once; the one before signs too for a while. */
export function NewSecret({ webhook, onClose }: { webhook: WebhookRow; onClose(): void }) {
  const t = useText(developerTexts)
  const [made, setMade] = useState<Answer<'/webhooks/{id}/secret', 'post'> | null>(null)
  const { error, isBusy, run } = useAct(async () => {
    setMade(await data(api.POST('/webhooks/{id}/secret', { params: { path: { id: webhook.id } } })))
  })
  return (
    <Modal opened onClose={onClose} title={t('newSecret')} size={480} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={styles['form']}>
        {made === null ? (
          <>
            <p>{t('newSecretWhy')}</p>
            {error !== null && <Problem error={error} />}
            <Button loading={isBusy} onClick={() => void run()}>
              {t('newSecretMake')}
            </Button>
          </>
        ) : (
          <>
            <p>{t('secretOnce')}</p>
            <CodeBlock code={made.secret} label={webhook.name} wrap />
            <p>
              {t('secretBefore')} <Time at={made.previousUntil} as="moment" />
            </p>
            <Button onClick={onClose}>{t('kept')}</Button>
          </>
        )}
      </div>
    </Modal>
  )
}

import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { developerTexts } from './texts.ts'
import type { ListedApiWebhook } from './webhook-state.tsx'

/** Another secret, shown this once; the one before signs too for a while. */
export function NewWebhookSecretDialog({ webhook, onClose }: { webhook: ListedApiWebhook; onClose(): void }) {
  const t = useTranslator(developerTexts)
  const [createdSecret, setCreatedSecret] = useState<ApiAnswer<'renewWebhookSecret'> | null>(null)
  const { error, isBusy, run } = useAsyncAction(async () => {
    setCreatedSecret(await apiClient.renewWebhookSecret({ path: { id: webhook.id } }))
  })
  return (
    <Modal opened onClose={onClose} title={t('newSecret')} size={480} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={styles['form']}>
        {createdSecret === null ? (
          <>
            <p>{t('newSecretWhy')}</p>
            {error !== null && <ProblemAlert error={error} />}
            <Button loading={isBusy} onClick={() => void run()}>
              {t('newSecretMake')}
            </Button>
          </>
        ) : (
          <>
            <p>{t('secretOnce')}</p>
            <CodeBlock code={createdSecret.secret} label={webhook.name} wrap />
            <p>
              {t('secretBefore')} <FormattedTime at={createdSecret.previousUntil} as="moment" />
            </p>
            <Button onClick={onClose}>{t('kept')}</Button>
          </>
        )}
      </div>
    </Modal>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../../api/shapes.ts'
import { CodeBlock } from '../../../components/CodeBlock.tsx'
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx'
import { JsonTextField } from '../../../components/code/FormJsonField.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'

type WebtaskToken = ApiAnswer<'createWebtaskToken'>
type SealedInput = NonNullable<ApiRequestBody<'createWebtaskToken'>>

/** Makes tokens that run a webtask, and ends all of them. The service keeps none: a token holds what it says. */
export function WebtaskTokens({ id, isPublic }: { id: string; isPublic: boolean }) {
  const t = useTranslator(scriptTexts)
  const [sealedInput, setSealed] = useState<unknown>({ data: {}, expires: null })
  const [token, setToken] = useState<WebtaskToken | null>(null)
  const [isRevoking, setRevoking] = useState(false)
  const params = { path: { id } }
  const createToken = useAsyncAction(async () => {
    setToken(null)
    setToken(await apiClient.createWebtaskToken({ ...params, body: (sealedInput ?? {}) as SealedInput }))
  })
  const revokeTokens = async (): Promise<void> => {
    await apiClient.revokeWebtaskTokens(params)
    setToken(null)
    setRevoking(false)
    showToast(t('revoked'))
  }
  return (
    <PagePanel
      title={t('tokens')}
      tools={
        <Button variant="default" size="compact-sm" color="red" onClick={() => setRevoking(true)}>
          {t('revokeAll')}
        </Button>
      }
    >
      <p>{t('tokensWhy')}</p>
      {!isPublic && <p>{t('notPublic')}</p>}
      <form className={styles['run']} onSubmit={createToken.submit}>
        <JsonTextField label={t('sealed')} help={t('sealedHelp')} value={sealedInput} onChange={setSealed} />
        <div>
          <Button type="submit" loading={createToken.isBusy}>
            {t('makeToken')}
          </Button>
        </div>
      </form>
      {createToken.error !== null && <ProblemAlert error={createToken.error} />}
      {token && (
        <div className={styles['stack']} role="status">
          <CodeBlock code={token.value} label={t('token')} wrap />
          {token.url && <CodeBlock code={token.url} label={t('publicUrl')} wrap />}
        </div>
      )}
      {isRevoking && (
        <ConfirmDialog
          title={t('revokeAll')}
          action={t('revokeAll')}
          onConfirm={revokeTokens}
          onClose={() => setRevoking(false)}
        >
          <p>{t('revokeWhy')}</p>
        </ConfirmDialog>
      )}
    </PagePanel>
  )
}

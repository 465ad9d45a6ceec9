import { Button } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../../api/client.ts'
import type { Answer, Body } from '../../../api/shapes.ts'
import { CodeBlock } from '../../../components/CodeBlock.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { JsonText } from '../../../components/code/JsonField.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { useAct } from '../../../components/use-act.ts'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'

type Token = Answer<'/scripting/webtasks/{id}/cipher', 'post'>
type Sealed = NonNullable<Body<'/scripting/webtasks/{id}/cipher', 'post'>>

/** Makes tokens that run a webtask, and ends all of them. The service keeps none: a token holds what it says. */
export function Tokens({ id, isPublic }: { id: string; isPublic: boolean }) {
  const t = useText(scriptTexts)
  const [sealed, setSealed] = useState<unknown>({ data: {}, expires: null })
  const [token, setToken] = useState<Token | null>(null)
  const [isRevoking, setRevoking] = useState(false)
  const params = { path: { id } }
  const make = useAct(async () => {
    setToken(null)
    setToken(await data(api.POST('/scripting/webtasks/{id}/cipher', { params, body: (sealed ?? {}) as Sealed })))
  })
  const revoke = async (): Promise<void> => {
    await data(api.DELETE('/scripting/webtasks/{id}/cipher', { params }))
    setToken(null)
    setRevoking(false)
    tell(t('revoked'))
  }
  return (
    <Panel
      title={t('tokens')}
      tools={
        <Button variant="default" size="compact-sm" color="red" onClick={() => setRevoking(true)}>
          {t('revokeAll')}
        </Button>
      }
    >
      <p>{t('tokensWhy')}</p>
      {!isPublic && <p>{t('notPublic')}</p>}
      <form className={styles['run']} onSubmit={make.submit}>
        <JsonText label={t('sealed')} help={t('sealedHelp')} value={sealed} onChange={setSealed} />
        <div>
          <Button type="submit" loading={make.isBusy}>
            {t('makeToken')}
          </Button>
        </div>
      </form>
      {make.error !== null && <Problem error={make.error} />}
      {token && (
        <div className={styles['stack']} role="status">
          <CodeBlock code={token.value} label={t('token')} wrap />
          {token.url && <CodeBlock code={token.url} label={t('publicUrl')} wrap />}
        </div>
      )}
      {isRevoking && (
        <Confirm title={t('revokeAll')} action={t('revokeAll')} onConfirm={revoke} onClose={() => setRevoking(false)}>
          <p>{t('revokeWhy')}</p>
        </Confirm>
      )}
    </Panel>
  )
}

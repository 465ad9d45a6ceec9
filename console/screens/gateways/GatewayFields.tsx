import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { GatewaySchemaFields } from './GatewaySchemaFields.tsx'
import { GatewaySecretFields } from './GatewaySecretFields.tsx'
import styles from './GatewaysPage.module.css'
import type { ApiGatewayKind, GatewayForm } from './model.ts'
import { findSettingShape, listSchemaSettings, type SettingSchema } from './schema.ts'
import { useGatewayLabels } from './words.ts'

interface Props {
  form: FormState<GatewayForm>
  kind: ApiGatewayKind
  isNew: boolean
  isReadOnly: boolean
  /** The names of secrets that are set. */
  known: readonly string[]
}

/** What has to be known of every connection; the rest has defaults that do, and is folded. */
const FIRST = [
  ...['host', 'port', 'tls', 'url', 'method', 'headers', 'body', 'numbers', 'agent', 'region', 'project'],
  ...['bundle', 'certificate', 'environment', 'publicKey', 'subject'],
]

/** Settings that are folded; open where one of them is faulty. */
function Folded({ form, isReadOnly, title, settings, path }: Omit<Props, 'kind' | 'isNew' | 'known'> & FoldedSettings) {
  const isFaulty = settings.some(([name]) => form.faultAt(['/settings', ...path, name].join('/')) !== undefined)
  return (
    <details className={styles['more']} {...(isFaulty && { open: true })}>
      <summary>{title}</summary>
      <div className={styles['group']}>
        <GatewaySchemaFields form={form} isReadOnly={isReadOnly} path={path} settings={settings} />
      </div>
    </details>
  )
}

interface FoldedSettings {
  title: string
  settings: readonly [string, SettingSchema][]
  path: readonly string[]
}

/** The settings and secrets of a gateway, drawn from the definition of its kind. */
export function GatewaySettingFields({ form, kind, isReadOnly, known }: Omit<Props, 'isNew'>) {
  const words = useGatewayLabels()
  const all = listSchemaSettings(kind.settings ?? {})
  const groups = all.filter(([, schema]) => findSettingShape(schema) === 'group')
  const single = all.filter(([, schema]) => findSettingShape(schema) !== 'group')
  const first = single.filter(([name]) => FIRST.includes(name))
  const rest = single.filter(([name]) => !FIRST.includes(name))
  const own = { form, isReadOnly }
  return (
    <>
      {first.length > 0 && (
        <FieldGroup title={words.t('connection')}>
          <GatewaySchemaFields {...own} path={[]} settings={first} />
        </FieldGroup>
      )}
      {!isReadOnly && <GatewaySecretFields form={form} kind={kind} known={known} />}
      {groups.map(([name, schema]) => (
        <Folded key={name} {...own} title={words.label([name])} path={[name]} settings={listSchemaSettings(schema)} />
      ))}
      {rest.length > 0 && <Folded {...own} title={words.t('more')} path={[]} settings={rest} />}
    </>
  )
}

/** All of a gateway: what it is called, for whom it is, and its settings. */
export function GatewayFields({ isNew, ...props }: Props) {
  const words = useGatewayLabels()
  const { form, kind, isReadOnly } = props
  const { t } = words
  const own = { form, isReadOnly }
  const scopes = (['account', 'installation'] as const).map((value) => ({ value, label: t(`scope_${value}`) }))
  return (
    <>
      <FieldGroup>
        <TextField {...own} at="/name" label={t('name')} help={t('nameWhy')} />
        {isNew && kind.channels.length > 1 && (
          <ChoiceField
            {...own}
            at="/channel"
            label={t('channel')}
            choices={kind.channels.map((value) => ({ value, label: words.channel(value) }))}
          />
        )}
        {isNew && <ChoiceField {...own} at="/scope" label={t('scope')} help={t('scopeWhy')} choices={scopes} />}
      </FieldGroup>
      <GatewaySettingFields {...props} />
    </>
  )
}

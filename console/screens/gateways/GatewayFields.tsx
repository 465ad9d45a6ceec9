import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import type { Form } from '../../components/form/use-form.ts'
import styles from './Gateways.module.css'
import type { GatewayDocument, Kind } from './model.ts'
import { SchemaFields } from './SchemaFields.tsx'
import { SecretFields } from './SecretFields.tsx'
import { type Schema, settingsOf, shapeOf } from './schema.ts'
import { useWords } from './words.ts'

interface Props {
  form: Form<GatewayDocument>
  kind: Kind
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
        <SchemaFields form={form} isReadOnly={isReadOnly} path={path} settings={settings} />
      </div>
    </details>
  )
}

interface FoldedSettings {
  title: string
  settings: readonly [string, Schema][]
  path: readonly string[]
}

/** The settings and secrets of a gateway, drawn from the definition of its kind. */
export function GatewaySettings({ form, kind, isReadOnly, known }: Omit<Props, 'isNew'>) {
  const words = useWords()
  const all = settingsOf(kind.settings ?? {})
  const groups = all.filter(([, schema]) => shapeOf(schema) === 'group')
  const single = all.filter(([, schema]) => shapeOf(schema) !== 'group')
  const first = single.filter(([name]) => FIRST.includes(name))
  const rest = single.filter(([name]) => !FIRST.includes(name))
  const own = { form, isReadOnly }
  return (
    <>
      {first.length > 0 && (
        <FieldGroup title={words.t('connection')}>
          <SchemaFields {...own} path={[]} settings={first} />
        </FieldGroup>
      )}
      {!isReadOnly && <SecretFields form={form} kind={kind} known={known} />}
      {groups.map(([name, schema]) => (
        <Folded key={name} {...own} title={words.label([name])} path={[name]} settings={settingsOf(schema)} />
      ))}
      {rest.length > 0 && <Folded {...own} title={words.t('more')} path={[]} settings={rest} />}
    </>
  )
}

/** All of a gateway: what it is called, for whom it is, and its settings. */
export function GatewayFields({ isNew, ...props }: Props) {
  const words = useWords()
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
      <GatewaySettings {...props} />
    </>
  )
}

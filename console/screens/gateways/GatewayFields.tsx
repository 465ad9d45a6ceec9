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

/** Settings that every connection requires; the others have suitable defaults and are collapsed. */
const MAIN_SETTINGS = [
  'host',
  'port',
  'tls',
  'url',
  'method',
  'headers',
  'body',
  'numbers',
  'agent',
  'region',
  'project',
  'bundle',
  'certificate',
  'environment',
  'publicKey',
  'subject',
]

/** Settings that are folded; open where one of them is faulty. */
function FoldedSettingGroup({
  form,
  isReadOnly,
  title,
  settings,
  path,
}: Omit<Props, 'kind' | 'isNew' | 'known'> & FoldedSettings) {
  const hasFault = settings.some(([name]) => form.faultAt(['/settings', ...path, name].join('/')) !== undefined)
  return (
    <details className={styles['more']} {...(hasFault && { open: true })}>
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
export function GatewaySettingFields({ form, kind, isReadOnly, known: knownSecrets }: Omit<Props, 'isNew'>) {
  const gatewayLabels = useGatewayLabels()
  const allSettings = listSchemaSettings(kind.settings ?? {})
  const groupSettings = allSettings.filter(([, schema]) => findSettingShape(schema) === 'group')
  const singleSettings = allSettings.filter(([, schema]) => findSettingShape(schema) !== 'group')
  const mainSettings = singleSettings.filter(([name]) => MAIN_SETTINGS.includes(name))
  const otherSettings = singleSettings.filter(([name]) => !MAIN_SETTINGS.includes(name))
  const fieldProps = { form, isReadOnly }
  return (
    <>
      {mainSettings.length > 0 && (
        <FieldGroup title={gatewayLabels.t('connection')}>
          <GatewaySchemaFields {...fieldProps} path={[]} settings={mainSettings} />
        </FieldGroup>
      )}
      {!isReadOnly && <GatewaySecretFields form={form} kind={kind} known={knownSecrets} />}
      {groupSettings.map(([name, schema]) => (
        <FoldedSettingGroup
          key={name}
          {...fieldProps}
          title={gatewayLabels.label([name])}
          path={[name]}
          settings={listSchemaSettings(schema)}
        />
      ))}
      {otherSettings.length > 0 && (
        <FoldedSettingGroup {...fieldProps} title={gatewayLabels.t('more')} path={[]} settings={otherSettings} />
      )}
    </>
  )
}

/** All of a gateway: what it is called, for whom it is, and its settings. */
export function GatewayFields({ isNew, ...props }: Props) {
  const gatewayLabels = useGatewayLabels()
  const { form, kind, isReadOnly } = props
  const { t } = gatewayLabels
  const fieldProps = { form, isReadOnly }
  const scopeChoices = (['account', 'installation'] as const).map((value) => ({ value, label: t(`scope_${value}`) }))
  return (
    <>
      <FieldGroup>
        <TextField {...fieldProps} at="/name" label={t('name')} help={t('nameWhy')} />
        {isNew && kind.channels.length > 1 && (
          <ChoiceField
            {...fieldProps}
            at="/channel"
            label={t('channel')}
            choices={kind.channels.map((value) => ({ value, label: gatewayLabels.channel(value) }))}
          />
        )}
        {isNew && (
          <ChoiceField {...fieldProps} at="/scope" label={t('scope')} help={t('scopeWhy')} choices={scopeChoices} />
        )}
      </FieldGroup>
      <GatewaySettingFields {...props} />
    </>
  )
}

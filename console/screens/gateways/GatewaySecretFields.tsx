import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { FieldGroup } from '../../components/form/fields.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { PasswordField } from '../../components/PasswordField.tsx'
import styles from './GatewaysPage.module.css'
import type { ApiGatewayKind, GatewayForm } from './model.ts'
import { listSchemaSettings, type SettingSchema } from './schema.ts'
import { useGatewayLabels } from './words.ts'

interface Props {
  form: FormState<GatewayForm>
  kind: ApiGatewayKind
  /** The names of those that are set. */
  known: readonly string[]
}

/** Keys and certificates are pasted, and longer than a line. */
const PASTED_MIN_LENGTH = 1000

function SecretField({ form, name, schema, isKnown }: Omit<Props, 'kind' | 'known'> & SecretName) {
  const gatewayLabels = useGatewayLabels()
  const { t } = gatewayLabels
  const secretPointer = `/secrets/${name}`
  const value = form.value.secrets[name]
  const isPasted = (schema.maxLength ?? 0) > PASTED_MIN_LENGTH
  const inputProps = {
    label: gatewayLabels.label(['secrets', form.value.kind, name]),
    description: gatewayLabels.help(['secrets', form.value.kind, name]),
    error: form.faultAt(secretPointer),
    maw: 560,
    autoComplete: 'off',
    placeholder: isKnown && value !== null ? t('secretKept') : '',
    value: value ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => form.set(secretPointer, currentTarget.value),
  }
  return (
    <div className={styles['secret']}>
      {isPasted ? (
        <Textarea {...inputProps} autosize minRows={3} maxRows={10} spellCheck={false} />
      ) : (
        <PasswordField {...inputProps} />
      )}
      {isKnown && (
        <small>
          {t(value === null ? 'secretGoes' : 'secretSet')}{' '}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => form.set(secretPointer, value === null ? '' : null)}
          >
            {t(value === null ? 'secretKeep' : 'secretTake')}
          </Button>
        </small>
      )}
    </div>
  )
}

interface SecretName {
  name: string
  schema: SettingSchema
  isKnown: boolean
}

/** Secrets of any name, which the other settings name. */
function NamedSecrets({ form, known: knownNames }: Omit<Props, 'kind'>) {
  const { t } = useGatewayLabels()
  const [name, setName] = useState('')
  const { secrets } = form.value
  const secretNames = [...new Set([...knownNames, ...Object.keys(secrets)])].filter(
    (candidateName) => knownNames.includes(candidateName) || candidateName in secrets,
  )
  const addSecret = (): void => {
    form.set(`/secrets/${name}`, '')
    setName('')
  }
  return (
    <>
      {secretNames.map((candidateName) => (
        <div key={candidateName} className={styles['named']}>
          <SecretField form={form} name={candidateName} schema={{}} isKnown={knownNames.includes(candidateName)} />
          {!knownNames.includes(candidateName) && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('secretDrop', { name: candidateName })}
              onClick={() =>
                form.change({
                  ...form.value,
                  secrets: Object.fromEntries(
                    Object.entries(secrets).filter(([schemaName]) => schemaName !== candidateName),
                  ),
                })
              }
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      <div className={styles['adding']}>
        <TextInput
          label={t('secretName')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value.replaceAll(/\W/g, ''))}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={name === '' || secretNames.includes(name)}
          onClick={addSecret}
        >
          {t('secretAdd')}
        </Button>
      </div>
    </>
  )
}

/** Write-only secrets. */
export function GatewaySecretFields({ form, kind, known: knownNames }: Props) {
  const { t } = useGatewayLabels()
  if (!kind.secrets) return null
  const schemaSecrets = listSchemaSettings(kind.secrets)
  return (
    <FieldGroup title={t('secrets')}>
      <p className={styles['quiet']}>{t(schemaSecrets.length > 0 ? 'secretsWhy' : 'secretsNamedWhy')}</p>
      {form.faultAt('/secrets') && <p role="alert">{form.faultAt('/secrets')}</p>}
      {schemaSecrets.map(([name, schema]) => (
        <SecretField key={name} form={form} name={name} schema={schema} isKnown={knownNames.includes(name)} />
      ))}
      {schemaSecrets.length === 0 && <NamedSecrets form={form} known={knownNames} />}
    </FieldGroup>
  )
}

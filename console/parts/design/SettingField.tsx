import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import { PictureField } from '../media/PictureField.tsx'
import { memberOf, type Setting } from './settings.ts'
import { designTexts } from './texts.ts'

interface Props {
  node: object
  setting: Setting
  isReadOnly: boolean
  onChange(value: unknown): void
}

/** One member of a block, set beside it. */
export function SettingField({ node, setting, isReadOnly, onChange }: Props) {
  const t = useText(designTexts)
  const { member, as, label, isOptional, min, max, among = [] } = setting
  const value = memberOf(node, member)
  const common = { label: t(label), size: 'xs' as const, readOnly: isReadOnly }
  const say = (next: string): void => onChange(next === '' && isOptional ? undefined : next)
  if (as === 'number')
    return (
      <NumberInput
        {...common}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        clampBehavior="strict"
        allowDecimal={false}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => {
          const number = Math.round(Number(next))
          if (next === '' && isOptional) onChange(undefined)
          else if (next !== '' && number >= (min ?? 0)) onChange(number)
        }}
      />
    )
  if (as === 'switch')
    return (
      <Switch
        {...{ label: t(label), size: 'xs', disabled: isReadOnly }}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked || undefined)}
      />
    )
  if (as === 'choice')
    return (
      <Select
        {...common}
        allowDeselect={false}
        data={among.map((one) => ({ value: one, label: t(one) }))}
        value={String(value ?? among[0])}
        onChange={(next) => onChange(next === among[0] ? undefined : /^\d$/.test(next!) ? Number(next) : next)}
      />
    )
  if (as === 'line')
    return <TextInput {...common} value={String(value ?? '')} onChange={(event) => say(event.currentTarget.value)} />
  if (as === 'picture') {
    const words = memberOf(node, member.replace(/\w+$/, 'alt'))
    const isSilent = !words && memberOf(node, 'isDecoration') !== true
    return <PictureField {...common} value={String(value ?? '')} isSilent={isSilent} onChange={say} />
  }
  return (
    <Textarea
      {...common}
      autosize
      minRows={as === 'code' ? 6 : 2}
      maxRows={16}
      spellCheck={as !== 'code'}
      value={String(value ?? '')}
      onChange={(event) => say(event.currentTarget.value)}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { FormFrame } from '../../components/form/FormFrame.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import { type Stored, useForm } from '../../components/form/use-form.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { type SaveFirst, useSaveFirst } from './save-first.ts'
import { readSender, type SenderFacts, useDomains, writeSender } from './stored.ts'
import { setUpTexts } from './texts.ts'

function SenderForm({ stored, saveFirst }: { stored: Stored<SenderFacts>; saveFirst: SaveFirst }) {
  const t = useText(setUpTexts)
  const domains = useDomains().data ?? []
  const form = useForm<SenderFacts>({
    name: 'set-up.sender',
    stored,
    save: (value, etag) => writeSender(value, etag, t('senderName')),
    load: readSender,
  })
  useSaveFirst(saveFirst, form)
  return (
    <FormFrame form={form} pointers={[]}>
      <FieldGroup>
        <TextField form={form} at="/label" label={t('label')} help={t('labelWhy')} />
        <TextField form={form} at="/prefix" label={t('prefix')} />
        <ChoiceField
          form={form}
          at="/domain"
          label={t('fromDomain')}
          help={domains.length === 0 ? t('domainNone') : undefined}
          choices={domains.map(({ name }) => ({ value: name, label: name }))}
          isClearable
        />
        <TextField form={form} at="/reply" type="email" label={t('reply')} help={t('replyWhy')} />
      </FieldGroup>
    </FormFrame>
  )
}

/** Who mail is from. */
export function SenderStep({ saveFirst }: { saveFirst: SaveFirst }) {
  const read = useQuery({ queryKey: ['set-up', 'sender'], queryFn: readSender, staleTime: 0, gcTime: 0 })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  return read.data ? <SenderForm stored={read.data} saveFirst={saveFirst} /> : <Skeleton />
}

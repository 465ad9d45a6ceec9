import { TwoColumnLayout } from '../../../components/layout/PagePanel.tsx'
import type { ContactListField, ListedApiContact } from '../contact-columns.tsx'
import { ContactDevices } from './ContactDevices.tsx'
import { ContactFieldList } from './ContactFieldList.tsx'
import { ContactMemberships } from './ContactMemberships.tsx'
import { ContactTimelineView } from './ContactTimelineView.tsx'
import { ReachabilityPanel } from './ReachabilityPanel.tsx'

/** Activity of a contact, with its data next to it. */
export function ContactActivity({
  contact,
  fields,
}: {
  contact: ListedApiContact
  fields: readonly ContactListField[]
}) {
  return (
    <TwoColumnLayout
      isAsideFirst
      aside={
        <>
          <ReachabilityPanel contact={contact} fields={fields} />
          <ContactFieldList contact={contact} fields={fields} />
          <ContactMemberships id={contact.id} />
          <ContactDevices id={contact.id} />
        </>
      }
    >
      <ContactTimelineView id={contact.id} />
    </TwoColumnLayout>
  )
}

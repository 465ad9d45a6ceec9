import { useRouter } from '@tanstack/react-router'

/** Paths of object pages, by object type of the API. */
const OBJECT_PATHS: Record<string, string> = {
  contact: '/contacts/$id',
  segment: '/segments/$id',
  field: '/fields/$id',
  valueList: '/value-lists/$id',
  form: '/forms/$id',
  rule: '/pressure/$id',
  topic: '/pressure/topics/$id',
  import: '/imports/$id',
  importFormat: '/imports/formats/$id',
  action: '/messages/email/$id',
  mailMessage: '/messages/email/$id',
  mailCampaign: '/messages/email/$id',
  smsMessage: '/messages/sms/$id',
  smsCampaign: '/messages/sms/$id',
  rcs: '/messages/rcs/$id',
  rcsMessage: '/messages/rcs/$id',
  rcsCampaign: '/messages/rcs/$id',
  notification: '/messages/notification/$id',
  workflow: '/workflows/$id',
  compilable: '/compilables/$id',
  webtask: '/webtasks/$id',
  campaign: '/campaigns/$id',
  design: '/designs/$id',
  category: '/categories/$id',
  webhook: '/developers/webhooks/$id',
  application: '/settings/applications/$id',
  displayCampaign: '/display/campaigns/$id',
  displayPlacement: '/display/placements/$id',
  profile: '/settings/sending/$id',
  rcsProfile: '/settings/rcs/$id',
}

/** The path as its route declares it: messages of every channel share one. */
const toRoutePath = (path: string): string => path.replace(/^\/messages\/\w+/, '/messages/$channel')

/** Returns the path of the page of an object; `undefined` if this console has no page for its type. */
export function useObjectPath(): (type: string, id: string | number) => string | undefined {
  const { routesByPath } = useRouter()
  return (type, id) => {
    const path = OBJECT_PATHS[type]
    return path !== undefined && toRoutePath(path) in routesByPath
      ? path.replace('$id', encodeURIComponent(String(id)))
      : undefined
  }
}

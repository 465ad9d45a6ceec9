/** Paths of object pages within the account: one place for links between screens. */
export const objectPaths = {
  contact: (id: string): string => `/contacts/${id}`,
  segment: (id: number | string): string => `/segments/${id}`,
  field: (id: number | string): string => `/fields/${id}`,
  valueList: (id: number | string): string => `/value-lists/${id}`,
  form: (id: number | string): string => `/forms/${id}`,
  message: (channel: string, id: string | number): string => `/messages/${channel}/${id}`,
  design: (id: number | string): string => `/designs/${id}`,
  campaign: (id: string): string => `/campaigns/${id}`,
  displayCampaign: (id: string): string => `/display/campaigns/${encodeURIComponent(id)}`,
  placement: (id: string): string => `/display/placements/${encodeURIComponent(id)}`,
  application: (id: string): string => `/settings/applications/${id}`,
  rcsProfile: (id: number | string): string => `/settings/rcs/${id}`,
  workflow: (id: number | string): string => `/workflows/${id}`,
  webtask: (id: number | string): string => `/webtasks/${id}`,
  compilable: (id: string): string => `/compilables/${id}`,
  rule: (id: number | string): string => `/pressure/${id}`,
} as const

import type { NodeSteps } from '../nodes/node-contract.ts'
import { experimentSteps, historySteps, ifSteps, matchSteps, sampleSteps, splitSteps, switchSteps } from './branches.ts'
import { firstRowSteps, pipelineSteps, requestSteps, scriptSteps } from './calls.ts'
import { updateTargetSteps } from './contacts.ts'
import { goalSteps, terminalSteps } from './ends.ts'
import { publishSteps } from './publish.ts'
import { actionSendSteps, notificationSendSteps, rcsSendSteps } from './sends.ts'
import { conditionalSlotsSteps, multipleSlotsSteps, sleepSteps } from './times.ts'
import { waitAllSteps, waitKillSteps, waitRaceSteps, waitSteps } from './waits.ts'

const nodeSteps = {
  sendMail: actionSendSteps,
  sendSms: actionSendSteps,
  sms: actionSendSteps,
  sendpushapp: notificationSendSteps,
  'np6.notification/execution': notificationSendSteps,
  'rcs/execution': rcsSendSteps,
  if: ifSteps,
  match: matchSteps,
  'data-explorer-v2.match': historySteps,
  switch: switchSteps,
  split: splitSteps,
  experiment: experimentSteps,
  sample: sampleSteps,
  sleep: sleepSteps,
  multipleslots: multipleSlotsSteps,
  conditionaltimeslots: conditionalSlotsSteps,
  wait: waitSteps,
  'wait.race': waitRaceSteps,
  'wait.all': waitAllSteps,
  'wait.kill': waitKillSteps,
  publish: publishSteps,
  request: requestSteps,
  script: scriptSteps,
  'data-manager/pipeline': pipelineSteps,
  'data-table/pipeline': firstRowSteps,
  updateTarget: updateTargetSteps,
  terminal: terminalSteps,
  goal: goalSteps,
} as unknown as Readonly<Record<string, NodeSteps<unknown>>>

/** Steps of each node type in a run. */
export const stepsByNodeType: ReadonlyMap<string, NodeSteps<unknown>> = new Map(Object.entries(nodeSteps))

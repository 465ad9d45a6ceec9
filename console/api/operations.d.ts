// Made from openapi.json by npm run openapi.

export interface paths {
 "/health/live": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       status: "live";
      };
     };
    };
   };
  };
 };
 "/health/ready": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       status: string;
       checks: {
        [key: string]: string;
       };
      };
     };
    };
   };
  };
 };
 "/metrics": {
  get: {
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/audit": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     start?: string;
     end?: string;
     who?: string;
     operation?: string;
     object?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       /** Format: date-time */
       at: string;
       account: string | null;
       who: {
        /** @enum {unknown} */
        type: "person" | "key" | "system" | "command";
        id?: string;
        name?: string;
       };
       from: string | null;
       request: string | null;
       operation: string;
       object: {
        type: string;
        id: string | null;
        name: string | null;
       } | null;
       changes: {
        [key: string]: [
         unknown,
         unknown
        ];
       };
       omitted: number;
       /** @enum {unknown} */
       outcome: "done" | "refused";
       problem: string | null;
      }[];
     };
    };
   };
  };
 };
 "/requests": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     key?: number;
     status?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       /** Format: date-time */
       date: string;
       method: string;
       path: string;
       status: number;
       durationMs: number;
       request: string;
       by: {
        /** @enum {unknown} */
        type: "key" | "person";
        id: string;
        name: string;
       };
      }[];
     };
    };
   };
  };
 };
 "/jobs": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     state?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       type: string;
       /** @enum {unknown} */
       state: "queued" | "running" | "done" | "failed";
       /** Format: date-time */
       creationDate: string;
       startDate: string | null;
       endDate: string | null;
       progress: {
        done: number;
        total: number | null;
       };
       result: unknown;
       error: {
        type: string;
        detail: string;
       } | null;
      }[];
     };
    };
   };
  };
 };
 "/jobs/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       type: string;
       /** @enum {unknown} */
       state: "queued" | "running" | "done" | "failed";
       /** Format: date-time */
       creationDate: string;
       startDate: string | null;
       endDate: string | null;
       progress: {
        done: number;
        total: number | null;
       };
       result: unknown;
       error: {
        type: string;
        detail: string;
       } | null;
      };
     };
    };
   };
  };
 };
 "/fields": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "email" | "phone" | "textField" | "textArea" | "numeric" | "date" | "singleSelectList" | "multipleSelectList";
       id: number;
       name: string;
       isUnicity: boolean;
       isMandatory: boolean;
       isCriterion: boolean;
       constraint?: {
        operator: number;
        value: string;
       };
       valueListId?: number;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      /** @enum {unknown} */
      type?: "email" | "phone" | "textField" | "textArea" | "numeric" | "date" | "singleSelectList" | "multipleSelectList";
      name?: string;
      isUnicity?: boolean | null;
      isMandatory?: boolean | null;
      isCriterion?: boolean | null;
      constraint?: {
       operator: number;
       value?: string | null;
      } | null;
      valueListId?: number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "email" | "phone" | "textField" | "textArea" | "numeric" | "date" | "singleSelectList" | "multipleSelectList";
       id: number;
       name: string;
       isUnicity: boolean;
       isMandatory: boolean;
       isCriterion: boolean;
       constraint?: {
        operator: number;
        value: string;
       };
       valueListId?: number;
      };
     };
    };
   };
  };
 };
 "/fields/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "email" | "phone" | "textField" | "textArea" | "numeric" | "date" | "singleSelectList" | "multipleSelectList";
       id: number;
       name: string;
       isUnicity: boolean;
       isMandatory: boolean;
       isCriterion: boolean;
       constraint?: {
        operator: number;
        value: string;
       };
       valueListId?: number;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      /** @enum {unknown} */
      type?: "email" | "phone" | "textField" | "textArea" | "numeric" | "date" | "singleSelectList" | "multipleSelectList";
      name?: string;
      isUnicity?: boolean | null;
      isMandatory?: boolean | null;
      isCriterion?: boolean | null;
      constraint?: {
       operator: number;
       value?: string | null;
      } | null;
      valueListId?: number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "email" | "phone" | "textField" | "textArea" | "numeric" | "date" | "singleSelectList" | "multipleSelectList";
       id: number;
       name: string;
       isUnicity: boolean;
       isMandatory: boolean;
       isCriterion: boolean;
       constraint?: {
        operator: number;
        value: string;
       };
       valueListId?: number;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/fields/{id}/links": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       type: string;
       id: string | number;
       name: string;
      }[];
     };
    };
   };
  };
 };
 "/valueLists": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       ordered: boolean;
       values: {
        index: number;
        value: string;
       }[];
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      ordered?: boolean | null;
      values?: {
       index?: number | null;
       value: string;
      }[] | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       ordered: boolean;
       values: {
        index: number;
        value: string;
       }[];
      };
     };
    };
   };
  };
 };
 "/valueLists/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       ordered: boolean;
       values: {
        index: number;
        value: string;
       }[];
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      ordered?: boolean | null;
      values?: {
       index?: number | null;
       value: string;
      }[] | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       ordered: boolean;
       values: {
        index: number;
        value: string;
       }[];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/valueLists/{id}/links": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       type: string;
       id: string | number;
       name: string;
      }[];
     };
    };
   };
  };
 };
 "/targets": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     fields?: string;
     unicity?: string | string[];
     hash?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       hash: string;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       lastUpdateDate: string;
       fields: {
        [key: string]: string | number | string[] | null;
       };
       bounce?: {
        field: number;
        type: number;
        /** Format: date-time */
        timestamp: string;
        reason: string;
       }[];
       redList?: {
        mail?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
        sms?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
       };
      }[] | {
       id: string;
       hash: string;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       lastUpdateDate: string;
       fields: {
        [key: string]: string | number | string[] | null;
       };
       bounce?: {
        field: number;
        type: number;
        /** Format: date-time */
        timestamp: string;
        reason: string;
       }[];
       redList?: {
        mail?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
        sms?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    query?: {
     unicity?: string | string[];
    };
   };
   requestBody: {
    content: {
     "application/json": {
      [key: string]: unknown;
     } | {
      [key: string]: unknown;
     }[] | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       hash: string;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       lastUpdateDate: string;
       fields: {
        [key: string]: string | number | string[] | null;
       };
       bounce?: {
        field: number;
        type: number;
        /** Format: date-time */
        timestamp: string;
        reason: string;
       }[];
       redList?: {
        mail?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
        sms?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
       };
      } | ({
       /** @enum {string} */
       type: "success";
       contact: {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       };
       created: boolean;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {unknown} */
        type: "invalid-value" | "unknown-field" | "unicity-missing";
        detail: string;
       };
      })[] | {
       matched: number;
       updated: number;
       unchanged: number;
       unknown: number;
      };
     };
    };
    202: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       type: string;
       /** @enum {unknown} */
       state: "queued" | "running" | "done" | "failed";
       /** Format: date-time */
       creationDate: string;
       startDate: string | null;
       endDate: string | null;
       progress: {
        done: number;
        total: number | null;
       };
       result: unknown;
       error: {
        type: string;
        detail: string;
       } | null;
      };
     };
    };
   };
  };
  post: {
   parameters: {
    query?: {
     unicity?: string | string[];
    };
   };
   requestBody: {
    content: {
     "application/json": {
      [key: string]: unknown;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       hash: string;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       lastUpdateDate: string;
       fields: {
        [key: string]: string | number | string[] | null;
       };
       bounce?: {
        field: number;
        type: number;
        /** Format: date-time */
        timestamp: string;
        reason: string;
       }[];
       redList?: {
        mail?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
        sms?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    query?: {
     erase?: boolean;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {string} */
      type: "id";
      value: (string | string[])[];
     } | {
      /** @enum {string} */
      type: "hash";
      value: string[];
     } | {
      /** @enum {string} */
      type: "unicity";
      value: (string | string[])[];
     } | {
      /** @enum {string} */
      type: "segment";
      value: number | string | (number | string)[];
     } | {
      /** @enum {string} */
      type: "search";
      value: {
       criteria: {
        [key: string]: unknown;
       };
       query?: string | null;
       except?: string[];
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       unicity: string[];
      }[];
     };
    };
    202: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       type: string;
       /** @enum {unknown} */
       state: "queued" | "running" | "done" | "failed";
       /** Format: date-time */
       creationDate: string;
       startDate: string | null;
       endDate: string | null;
       progress: {
        done: number;
        total: number | null;
       };
       result: unknown;
       error: {
        type: string;
        detail: string;
       } | null;
      };
     };
    };
    204: {
     content?: never;
    };
   };
  };
 };
 "/targets/count": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       targetsCount: number;
      };
     };
    };
   };
  };
 };
 "/targets/resolve": {
  post: {
   requestBody: {
    content: {
     "application/json": unknown[] | {
      [key: string]: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity: string;
       hash: string;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {unknown} */
        type: "recipient not found" | "invalid recipient";
        recipient: unknown;
       };
      })[] | ({
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity: string;
       hash: string;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {unknown} */
        type: "recipient not found" | "invalid recipient";
        recipient: unknown;
       };
      });
     };
    };
   };
  };
 };
 "/targets/{id}": {
  get: {
   parameters: {
    query?: {
     fields?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       hash: string;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       lastUpdateDate: string;
       fields: {
        [key: string]: string | number | string[] | null;
       };
       bounce?: {
        field: number;
        type: number;
        /** Format: date-time */
        timestamp: string;
        reason: string;
       }[];
       redList?: {
        mail?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
        sms?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      [key: string]: unknown;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       hash: string;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       lastUpdateDate: string;
       fields: {
        [key: string]: string | number | string[] | null;
       };
       bounce?: {
        field: number;
        type: number;
        /** Format: date-time */
        timestamp: string;
        reason: string;
       }[];
       redList?: {
        mail?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
        sms?: {
         /** Format: date-time */
         timestamp: string;
         reason: number;
        };
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    query?: {
     erase?: boolean;
    };
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/targets/redlist/mail": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     startDate?: string;
     endDate?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       /** Format: date-time */
       timestamp: string;
       origin: number;
       detail: {
        [key: string]: unknown;
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/redlist/mail": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      timestamp?: string | number | null;
      origin?: number | null;
      detail?: {
       [key: string]: unknown;
      } | null;
     } | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    query?: {
     reason?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      reason?: string;
     } | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/targets/redlist/sms": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     startDate?: string;
     endDate?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       /** Format: date-time */
       timestamp: string;
       origin: number;
       detail: {
        [key: string]: unknown;
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/redlist/sms": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      timestamp?: string | number | null;
      origin?: number | null;
      detail?: {
       [key: string]: unknown;
      } | null;
     } | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    query?: {
     reason?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      reason?: string;
     } | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/targets/bounces": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     query?: string;
     startDate?: string;
     endDate?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       bounces: {
        /** @enum {unknown} */
        type: "validated" | "soft" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam";
        fieldId: number;
        detail: {
         message: string;
        };
        /** Format: date-time */
        timestamp: string;
       }[];
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/bounces/{fieldId}": {
  put: {
   parameters: {
    path: {
     id: string;
     fieldId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      type?: string | number | null;
      detail?: string | {
       message?: string | null;
      } | null;
      timestamp?: string | number | null;
     } | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
     fieldId: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/settings/contacts": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       defaultCountry: string;
       timeZone: string;
       /** @enum {unknown} */
       dateOrder: "dmy" | "mdy";
       softBounce: {
        count: number;
        days: number;
       };
       forgetRedListOnDelete: boolean;
       importMaxBytes: number;
       sourceRetentionDays: number;
       rejectsRetentionDays: number;
      };
     };
    };
   };
  };
  put: {
   requestBody: {
    content: {
     "application/json": {
      defaultCountry?: string;
      timeZone?: string;
      /** @enum {unknown} */
      dateOrder?: "dmy" | "mdy";
      softBounce?: {
       count?: number;
       days?: number;
      };
      forgetRedListOnDelete?: boolean;
      importMaxBytes?: number;
      sourceRetentionDays?: number;
      rejectsRetentionDays?: number;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       defaultCountry: string;
       timeZone: string;
       /** @enum {unknown} */
       dateOrder: "dmy" | "mdy";
       softBounce: {
        count: number;
        days: number;
       };
       forgetRedListOnDelete: boolean;
       importMaxBytes: number;
       sourceRetentionDays: number;
       rejectsRetentionDays: number;
      };
     };
    };
   };
  };
 };
 "/targets/search": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      criteria?: {
       [key: string]: unknown;
      } | null;
      query?: string | null;
      sort?: {
       by?: string | number;
       /** @enum {unknown} */
       order?: "asc" | "desc";
      } | null;
      fields?: number[] | null;
      limit?: number;
      after?: string | null;
      at?: number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       items: {
        id: string;
        hash: string;
        /** Format: date-time */
        creationDate: string;
        /** Format: date-time */
        lastUpdateDate: string;
        fields: {
         [key: string]: string | number | string[] | null;
        };
        bounce?: {
         field: number;
         type: number;
         /** Format: date-time */
         timestamp: string;
         reason: string;
        }[];
        redList?: {
         mail?: {
          /** Format: date-time */
          timestamp: string;
          reason: number;
         };
         sms?: {
          /** Format: date-time */
          timestamp: string;
          reason: number;
         };
        };
       }[];
       total: number;
       exact: boolean;
       next: string | null;
      };
     };
    };
   };
  };
 };
 "/search": {
  get: {
   parameters: {
    query: {
     q: string;
     limit?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "contact" | "action" | "rcs" | "notification" | "segment" | "field" | "valueList" | "workflow" | "webtask" | "compilable" | "campaign" | "import" | "importFormat" | "profile" | "rcsProfile" | "application" | "form" | "category" | "topic" | "rule" | "displayCampaign" | "displayContent" | "displayPlacement" | "webhook";
       id: string | number;
       name: string;
       detail: string | null;
      }[];
     };
    };
   };
  };
 };
 "/segments/preview": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      criteria: {
       [key: string]: unknown;
      } | null;
      parentId?: number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       count: number;
       exact: boolean;
       sample: {
        id: string;
        hash: string;
        /** Format: date-time */
        creationDate: string;
        /** Format: date-time */
        lastUpdateDate: string;
        fields: {
         [key: string]: string | number | string[] | null;
        };
        bounce?: {
         field: number;
         type: number;
         /** Format: date-time */
         timestamp: string;
         reason: string;
        }[];
        redList?: {
         mail?: {
          /** Format: date-time */
          timestamp: string;
          reason: number;
         };
         sms?: {
          /** Format: date-time */
          timestamp: string;
          reason: number;
         };
        };
       }[];
       words: {
        en: string;
        fr: string;
       };
      };
     };
    };
   };
  };
 };
 "/targets/growth": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: date */
       date: string;
       count: number;
       entered: number;
       left: number;
      }[];
     };
    };
   };
  };
 };
 "/segments/{id}/growth": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: date */
       date: string;
       count: number;
       entered: number;
       left: number;
      }[];
     };
    };
   };
  };
 };
 "/segments": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "static" | "dynamic";
       id: number;
       name: string;
       /** Format: date-time */
       creation: string;
       /** Format: date-time */
       expiration: string;
       isTest: boolean;
       targetsCount: number;
       targetsCountDate: string | null;
       parentId: number | null;
       searchId: null;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      type?: "static" | "dynamic";
      name?: string;
      description?: string | null;
      expiration?: (string | number) | null;
      isTest?: boolean | null;
      parentId?: number | null;
      criteria?: {
       [key: string]: unknown;
      } | null;
      id?: unknown;
      creation?: unknown;
      targetsCount?: unknown;
      targetsCountDate?: unknown;
      searchId?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "static" | "dynamic";
       id: number;
       name: string;
       /** Format: date-time */
       creation: string;
       /** Format: date-time */
       expiration: string;
       isTest: boolean;
       targetsCount: number;
       targetsCountDate: string | null;
       parentId: number | null;
       searchId: null;
       description: string | null;
       criteria: {
        [key: string]: unknown;
       } | null;
      };
     };
    };
   };
  };
 };
 "/segments/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "static" | "dynamic";
       id: number;
       name: string;
       /** Format: date-time */
       creation: string;
       /** Format: date-time */
       expiration: string;
       isTest: boolean;
       targetsCount: number;
       targetsCountDate: string | null;
       parentId: number | null;
       searchId: null;
       description: string | null;
       criteria: {
        [key: string]: unknown;
       } | null;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      type?: "static" | "dynamic";
      name?: string;
      description?: string | null;
      expiration?: (string | number) | null;
      isTest?: boolean | null;
      parentId?: number | null;
      criteria?: {
       [key: string]: unknown;
      } | null;
      id?: unknown;
      creation?: unknown;
      targetsCount?: unknown;
      targetsCountDate?: unknown;
      searchId?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "static" | "dynamic";
       id: number;
       name: string;
       /** Format: date-time */
       creation: string;
       /** Format: date-time */
       expiration: string;
       isTest: boolean;
       targetsCount: number;
       targetsCountDate: string | null;
       parentId: number | null;
       searchId: null;
       description: string | null;
       criteria: {
        [key: string]: unknown;
       } | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/segments/{id}/links": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       type: string;
       id: string | number;
       name: string;
      }[];
     };
    };
   };
  };
 };
 "/segments/{id}/targets": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": string[];
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": string[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": number;
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": string[] | Record<string, never> | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/segments/{id}/targets/{target}": {
  post: {
   parameters: {
    path: {
     id: string;
     target: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/targets/{id}/segments": {
  get: {
   parameters: {
    query?: {
     type?: "static" | "dynamic";
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "static" | "dynamic";
       id: number;
       name: string;
       /** Format: date-time */
       creation: string;
       /** Format: date-time */
       expiration: string;
       isTest: boolean;
       targetsCount: number;
       targetsCountDate: string | null;
       parentId: number | null;
       searchId: null;
      }[];
     };
    };
   };
  };
 };
 "/targets/{targetId}/segments/{segmentId}": {
  post: {
   parameters: {
    path: {
     targetId: string;
     segmentId: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     targetId: string;
     segmentId: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/segments/{id}/normalization": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      fields?: {
       [key: string]: string[];
      };
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       normalized: number;
       unchanged: number;
       invalid: number;
      };
     };
    };
    202: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       type: string;
       /** @enum {unknown} */
       state: "queued" | "running" | "done" | "failed";
       /** Format: date-time */
       creationDate: string;
       startDate: string | null;
       endDate: string | null;
       progress: {
        done: number;
        total: number | null;
       };
       result: unknown;
       error: {
        type: string;
        detail: string;
       } | null;
      };
     };
    };
   };
  };
 };
 "/imports/{id}/executions": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     dryRun?: boolean;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       import: number;
       /** Format: date-time */
       startDate: string;
       endDate: string | null;
       dryRun: boolean;
       state: number;
       progress: {
        bytes: number;
        lines: number;
        total: number;
       };
       created: number;
       updated: number;
       rejected: number;
       duplicates: number;
       skipped: number;
       blocked: number;
       warnings: string[];
       error: {
        type: string;
        detail: string;
       } | null;
       content: {
        features: ({
         /** @enum {string} */
         type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
        } & {
         [key: string]: unknown;
        })[];
        bindings: {
         identifier: {
          guid: number;
         };
         name: string;
         separator: number;
         startAt: number;
         binds: {
          columnIndex: number;
          fieldId: number;
         }[];
         savedImportFormat: boolean;
         encoding?: string;
         /** @enum {unknown} */
         dateOrder?: "dmy" | "mdy";
        } | null;
        source: {
         /** @enum {unknown} */
         type: "file" | "ftp";
         id: number | null;
         /** Format: date-time */
         creationDate: string;
         updateDate: string | null;
         filename: string | null;
         folder?: string;
         templateFilename?: string;
        };
       };
       source: {
        /** @enum {unknown} */
        type: "file" | "ftp";
        id: number | null;
        /** Format: date-time */
        creationDate: string;
        updateDate: string | null;
        filename: string | null;
        folder?: string;
        templateFilename?: string;
       };
      }[] | {
       state: number;
      };
     };
    };
   };
  };
  post: {
   parameters: {
    query?: {
     dryRun?: boolean;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       import: number;
       /** Format: date-time */
       startDate: string;
       endDate: string | null;
       dryRun: boolean;
       state: number;
       progress: {
        bytes: number;
        lines: number;
        total: number;
       };
       created: number;
       updated: number;
       rejected: number;
       duplicates: number;
       skipped: number;
       blocked: number;
       warnings: string[];
       error: {
        type: string;
        detail: string;
       } | null;
       content: {
        features: ({
         /** @enum {string} */
         type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
        } & {
         [key: string]: unknown;
        })[];
        bindings: {
         identifier: {
          guid: number;
         };
         name: string;
         separator: number;
         startAt: number;
         binds: {
          columnIndex: number;
          fieldId: number;
         }[];
         savedImportFormat: boolean;
         encoding?: string;
         /** @enum {unknown} */
         dateOrder?: "dmy" | "mdy";
        } | null;
        source: {
         /** @enum {unknown} */
         type: "file" | "ftp";
         id: number | null;
         /** Format: date-time */
         creationDate: string;
         updateDate: string | null;
         filename: string | null;
         folder?: string;
         templateFilename?: string;
        };
       };
       source: {
        /** @enum {unknown} */
        type: "file" | "ftp";
        id: number | null;
        /** Format: date-time */
        creationDate: string;
        updateDate: string | null;
        filename: string | null;
        folder?: string;
        templateFilename?: string;
       };
      };
     };
    };
   };
  };
 };
 "/imports/{id}/executions/{execution}": {
  get: {
   parameters: {
    path: {
     id: string;
     execution: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       import: number;
       /** Format: date-time */
       startDate: string;
       endDate: string | null;
       dryRun: boolean;
       state: number;
       progress: {
        bytes: number;
        lines: number;
        total: number;
       };
       created: number;
       updated: number;
       rejected: number;
       duplicates: number;
       skipped: number;
       blocked: number;
       warnings: string[];
       error: {
        type: string;
        detail: string;
       } | null;
       content: {
        features: ({
         /** @enum {string} */
         type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
        } & {
         [key: string]: unknown;
        })[];
        bindings: {
         identifier: {
          guid: number;
         };
         name: string;
         separator: number;
         startAt: number;
         binds: {
          columnIndex: number;
          fieldId: number;
         }[];
         savedImportFormat: boolean;
         encoding?: string;
         /** @enum {unknown} */
         dateOrder?: "dmy" | "mdy";
        } | null;
        source: {
         /** @enum {unknown} */
         type: "file" | "ftp";
         id: number | null;
         /** Format: date-time */
         creationDate: string;
         updateDate: string | null;
         filename: string | null;
         folder?: string;
         templateFilename?: string;
        };
       };
       source: {
        /** @enum {unknown} */
        type: "file" | "ftp";
        id: number | null;
        /** Format: date-time */
        creationDate: string;
        updateDate: string | null;
        filename: string | null;
        folder?: string;
        templateFilename?: string;
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
     execution: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/imports/{id}/executions/{execution}/rejects": {
  get: {
   parameters: {
    path: {
     id: string;
     execution: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/importFormats": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       identifier: {
        guid: number;
       };
       name: string;
       separator: number;
       startAt: number;
       binds: {
        columnIndex: number;
        fieldId: number;
       }[];
       savedImportFormat: boolean;
       encoding?: string;
       /** @enum {unknown} */
       dateOrder?: "dmy" | "mdy";
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      identifier?: unknown;
      name?: string;
      separator?: number | null;
      startAt?: number | null;
      binds?: {
       columnIndex: number;
       fieldId: number;
      }[];
      savedImportFormat?: boolean | null;
      encoding?: string | null;
      dateOrder?: ("dmy" | "mdy") | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       identifier: {
        guid: number;
       };
       name: string;
       separator: number;
       startAt: number;
       binds: {
        columnIndex: number;
        fieldId: number;
       }[];
       savedImportFormat: boolean;
       encoding?: string;
       /** @enum {unknown} */
       dateOrder?: "dmy" | "mdy";
      };
     };
    };
   };
  };
 };
 "/importFormats/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       identifier: {
        guid: number;
       };
       name: string;
       separator: number;
       startAt: number;
       binds: {
        columnIndex: number;
        fieldId: number;
       }[];
       savedImportFormat: boolean;
       encoding?: string;
       /** @enum {unknown} */
       dateOrder?: "dmy" | "mdy";
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      identifier?: unknown;
      name?: string;
      separator?: number | null;
      startAt?: number | null;
      binds?: {
       columnIndex: number;
       fieldId: number;
      }[];
      savedImportFormat?: boolean | null;
      encoding?: string | null;
      dateOrder?: ("dmy" | "mdy") | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       identifier: {
        guid: number;
       };
       name: string;
       separator: number;
       startAt: number;
       binds: {
        columnIndex: number;
        fieldId: number;
       }[];
       savedImportFormat: boolean;
       encoding?: string;
       /** @enum {unknown} */
       dateOrder?: "dmy" | "mdy";
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/imports/{id}/source/preview": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       files: string[];
       encoding: string;
       separator: number;
       columns: {
        index: number;
        heading: string | null;
        field: number | null;
       }[];
       lines: string[][];
       vendor: ("mailchimp" | "brevo" | "sendgrid" | "mailjet" | "hubspot") | null;
       mapping: {
        binding: null;
        features: ({
         /** @enum {string} */
         type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
        } & ({
         /** @enum {string} */
         type: "segmentation";
         segmentId: number;
         emptyExisitingSegment?: boolean;
         emptyExistingSegment?: boolean;
        } | {
         /** @enum {string} */
         type: "redList";
         destination: {
          mail?: boolean;
          sms?: boolean;
          email?: boolean;
         };
        } | {
         /** @enum {string} */
         type: "duplicate";
         rules?: {
          first?: boolean;
          ignore?: boolean;
          last?: boolean;
         };
        } | {
         /** @enum {string} */
         type: "report";
         sendFinalReport?: boolean;
         sendErrorReport?: boolean;
         contactGuids?: string[];
         groupIds?: number[];
        } | {
         /** @enum {string} */
         type: "database";
         updateExisting?: boolean;
         crushData?: boolean;
        } | {
         /** @enum {string} */
         type: "normalization";
         fields?: {
          [key: string]: string[];
         };
        } | {
         /** @enum {string} */
         type: "columns";
         header?: boolean;
         fields: {
          column: string | number;
          field: number | null;
         }[];
        } | {
         /** @enum {string} */
         type: "statuses";
         column?: string | number | null;
         file?: boolean | null;
         map: {
          [key: string]: ("redList" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam") | null;
         };
         field?: number | null;
         also?: {
          column?: string | number | null;
          file?: boolean | null;
          map: {
           [key: string]: ("redList" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam") | null;
          };
          field?: number | null;
         }[];
        }))[];
       };
      };
     };
    };
   };
  };
 };
 "/settings/dropPlace": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       place: {
        /** @enum {unknown} */
        kind: "directory" | "sftp";
        address: string;
       } | null;
      };
     };
    };
   };
  };
 };
 "/categories": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       default: boolean;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      creationDate?: unknown;
      default?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       default: boolean;
      };
     };
    };
   };
  };
 };
 "/categories/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       default: boolean;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      creationDate?: unknown;
      default?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       default: boolean;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/forms": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       title: {
        [key: string]: string;
       };
       introduction: {
        [key: string]: string;
       };
       submitLabel: {
        [key: string]: string;
       };
       successMessage: {
        [key: string]: string;
       };
       fields: {
        field: number;
        label: {
         [key: string]: string;
        };
        required: boolean;
        prefill: boolean;
       }[];
       segment: number | null;
       redList: ("mail" | "sms")[];
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      title?: {
       [key: string]: string;
      } | null;
      introduction?: {
       [key: string]: string;
      } | null;
      submitLabel?: {
       [key: string]: string;
      } | null;
      successMessage?: {
       [key: string]: string;
      } | null;
      fields?: {
       field: number;
       label?: {
        [key: string]: string;
       } | null;
       required?: boolean | null;
       prefill?: boolean | null;
      }[];
      segment?: number | null;
      redList?: ("mail" | "sms")[] | null;
      creationDate?: unknown;
      updateDate?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       title: {
        [key: string]: string;
       };
       introduction: {
        [key: string]: string;
       };
       submitLabel: {
        [key: string]: string;
       };
       successMessage: {
        [key: string]: string;
       };
       fields: {
        field: number;
        label: {
         [key: string]: string;
        };
        required: boolean;
        prefill: boolean;
       }[];
       segment: number | null;
       redList: ("mail" | "sms")[];
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      };
     };
    };
   };
  };
 };
 "/forms/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       title: {
        [key: string]: string;
       };
       introduction: {
        [key: string]: string;
       };
       submitLabel: {
        [key: string]: string;
       };
       successMessage: {
        [key: string]: string;
       };
       fields: {
        field: number;
        label: {
         [key: string]: string;
        };
        required: boolean;
        prefill: boolean;
       }[];
       segment: number | null;
       redList: ("mail" | "sms")[];
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      title?: {
       [key: string]: string;
      } | null;
      introduction?: {
       [key: string]: string;
      } | null;
      submitLabel?: {
       [key: string]: string;
      } | null;
      successMessage?: {
       [key: string]: string;
      } | null;
      fields?: {
       field: number;
       label?: {
        [key: string]: string;
       } | null;
       required?: boolean | null;
       prefill?: boolean | null;
      }[];
      segment?: number | null;
      redList?: ("mail" | "sms")[] | null;
      creationDate?: unknown;
      updateDate?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       title: {
        [key: string]: string;
       };
       introduction: {
        [key: string]: string;
       };
       submitLabel: {
        [key: string]: string;
       };
       successMessage: {
        [key: string]: string;
       };
       fields: {
        field: number;
        label: {
         [key: string]: string;
        };
        required: boolean;
        prefill: boolean;
       }[];
       segment: number | null;
       redList: ("mail" | "sms")[];
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/forms/{id}/links": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       type: string;
       id: string | number;
       name: string;
      }[];
     };
    };
   };
  };
 };
 "/campaigns": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
       items: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
        id: string | number;
       }[];
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      name?: string;
      description?: string | null;
      startDate?: string | number | null;
      endDate?: string | number | null;
      items?: {
       /** @enum {unknown} */
       type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
       id: string | number;
      }[];
      id?: unknown;
      creationDate?: unknown;
      updateDate?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
       items: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
        id: string | number;
       }[];
      };
     };
    };
   };
  };
 };
 "/campaigns/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
       items: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
        id: string | number;
       }[];
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      name?: string;
      description?: string | null;
      startDate?: string | number | null;
      endDate?: string | number | null;
      items?: {
       /** @enum {unknown} */
       type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
       id: string | number;
      }[];
      id?: unknown;
      creationDate?: unknown;
      updateDate?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
       items: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
        id: string | number;
       }[];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/campaigns/{id}/items": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
      id: string | number;
     } | {
      /** @enum {unknown} */
      type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
      id: string | number;
     }[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
       items: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
        id: string | number;
       }[];
      };
     };
    };
   };
  };
 };
 "/campaigns/{id}/items/{type}/{item}": {
  delete: {
   parameters: {
    path: {
     id: string;
     type: string;
     item: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/campaigns/{id}/events": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
  post: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      itemsEvents?: {
       /** @enum {unknown} */
       type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
       items?: (string | number)[];
       events?: {
        /** @enum {unknown} */
        type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
        subtypes?: string[];
       }[];
      }[];
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/captured": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       /** @enum {unknown} */
       channel: "email" | "sms" | "rcs" | "notification";
       /** Format: date-time */
       date: string;
       from: string;
       to: string;
       subject: string;
       confidential: boolean;
       stamp: string | null;
       size: number;
       encoding?: string;
       segments?: number;
      }[];
     };
    };
   };
  };
 };
 "/captured/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       /** @enum {unknown} */
       channel: "email" | "sms" | "rcs" | "notification";
       /** Format: date-time */
       date: string;
       from: string;
       to: string;
       subject: string;
       confidential: boolean;
       stamp: string | null;
       size: number;
       encoding?: string;
       segments?: number;
       html: string | null;
       text: string | null;
       headers: {
        name: string;
        value: string;
       }[];
       attachments: {
        name: string | null;
        type: string;
        size: number;
       }[];
       content: unknown;
       source: string;
      };
     };
    };
   };
  };
 };
 "/channel/rcs/profiles": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     active?: boolean;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       agent: string;
       active: boolean;
       country: string;
       speed: number;
       capability: {
        check: boolean;
        cacheHours: number;
       };
       fallback: {
        /** @enum {string} */
        type: "sms";
        sender: string | null;
       } | null;
       provider: {
        /** @enum {string} */
        type: "google-rbm";
        region: ("us" | "europe" | "asia") | null;
        baseUrl: string | null;
        tokenUrl: string | null;
        credentials: null;
        fingerprint: string | null;
        clientToken: null;
        clientTokenSet: boolean;
       } | {
        /** @enum {string} */
        type: "capture";
       };
       webhook: {
        url: string;
       } | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      agent?: string;
      active?: boolean;
      country?: string;
      speed?: number;
      capability?: {
       check?: boolean;
       cacheHours?: number;
      };
      fallback?: {
       /** @enum {string} */
       type: "sms";
       sender?: string | null;
      } | null;
      provider?: {
       /** @enum {string} */
       type: "google-rbm" | "capture";
      } & ({
       /** @enum {string} */
       type: "google-rbm";
       region?: ("us" | "europe" | "asia") | null;
       baseUrl?: string | null;
       tokenUrl?: string | null;
       credentials?: string | {
        [key: string]: unknown;
       } | null;
       clientToken?: string | null;
       fingerprint?: unknown;
       clientTokenSet?: unknown;
      } | {
       /** @enum {string} */
       type: "capture";
      });
      webhook?: unknown;
      stamp?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       agent: string;
       active: boolean;
       country: string;
       speed: number;
       capability: {
        check: boolean;
        cacheHours: number;
       };
       fallback: {
        /** @enum {string} */
        type: "sms";
        sender: string | null;
       } | null;
       provider: {
        /** @enum {string} */
        type: "google-rbm";
        region: ("us" | "europe" | "asia") | null;
        baseUrl: string | null;
        tokenUrl: string | null;
        credentials: null;
        fingerprint: string | null;
        clientToken: null;
        clientTokenSet: boolean;
       } | {
        /** @enum {string} */
        type: "capture";
       };
       webhook: {
        url: string;
       } | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
      };
     };
    };
   };
  };
 };
 "/channel/rcs/profiles/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       agent: string;
       active: boolean;
       country: string;
       speed: number;
       capability: {
        check: boolean;
        cacheHours: number;
       };
       fallback: {
        /** @enum {string} */
        type: "sms";
        sender: string | null;
       } | null;
       provider: {
        /** @enum {string} */
        type: "google-rbm";
        region: ("us" | "europe" | "asia") | null;
        baseUrl: string | null;
        tokenUrl: string | null;
        credentials: null;
        fingerprint: string | null;
        clientToken: null;
        clientTokenSet: boolean;
       } | {
        /** @enum {string} */
        type: "capture";
       };
       webhook: {
        url: string;
       } | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      agent?: string;
      active?: boolean;
      country?: string;
      speed?: number;
      capability?: {
       check?: boolean;
       cacheHours?: number;
      };
      fallback?: {
       /** @enum {string} */
       type: "sms";
       sender?: string | null;
      } | null;
      provider?: {
       /** @enum {string} */
       type: "google-rbm" | "capture";
      } & ({
       /** @enum {string} */
       type: "google-rbm";
       region?: ("us" | "europe" | "asia") | null;
       baseUrl?: string | null;
       tokenUrl?: string | null;
       credentials?: string | {
        [key: string]: unknown;
       } | null;
       clientToken?: string | null;
       fingerprint?: unknown;
       clientTokenSet?: unknown;
      } | {
       /** @enum {string} */
       type: "capture";
      });
      webhook?: unknown;
      stamp?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       agent: string;
       active: boolean;
       country: string;
       speed: number;
       capability: {
        check: boolean;
        cacheHours: number;
       };
       fallback: {
        /** @enum {string} */
        type: "sms";
        sender: string | null;
       } | null;
       provider: {
        /** @enum {string} */
        type: "google-rbm";
        region: ("us" | "europe" | "asia") | null;
        baseUrl: string | null;
        tokenUrl: string | null;
        credentials: null;
        fingerprint: string | null;
        clientToken: null;
        clientTokenSet: boolean;
       } | {
        /** @enum {string} */
        type: "capture";
       };
       webhook: {
        url: string;
       } | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/channel/rcs/profiles/{id}/token": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       agent: string;
       active: boolean;
       country: string;
       speed: number;
       capability: {
        check: boolean;
        cacheHours: number;
       };
       fallback: {
        /** @enum {string} */
        type: "sms";
        sender: string | null;
       } | null;
       provider: {
        /** @enum {string} */
        type: "google-rbm";
        region: ("us" | "europe" | "asia") | null;
        baseUrl: string | null;
        tokenUrl: string | null;
        credentials: null;
        fingerprint: string | null;
        clientToken: null;
        clientTokenSet: boolean;
       } | {
        /** @enum {string} */
        type: "capture";
       };
       webhook: {
        url: string;
       } | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
      };
     };
    };
   };
  };
 };
 "/channel/rcs/profiles/{id}/capabilities": {
  get: {
   parameters: {
    query: {
     phone: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       phone: string;
       reachable: boolean;
       features: string[];
       /** Format: date-time */
       checkedAt: string;
      };
     };
    };
   };
  };
 };
 "/parameters/applications": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "native";
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       icon: string | null;
       providers: ({
        /** @enum {string} */
        type: "firebase";
        key: null;
        sender: string | null;
        baseUrl?: string;
        tokenUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "apns";
        certificate: {
         /** @enum {string} */
         type: "p12";
         value: null;
         password: null;
         /** Format: date-time */
         expiration: string | null;
        } | {
         /** @enum {string} */
         type: "p8";
         value: null;
         keyId: string;
         teamId: string;
        };
        bundle: string;
        /** @enum {unknown} */
        environment: "production" | "sandbox";
        baseUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "http";
        url: string;
        secret: string | null;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "webpush";
        publicKey: string | null;
        privateKey: null;
        subject: string;
        baseUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       })[];
       routes: {
        name: string;
        value: {
         /** @enum {string} */
         type: "literal";
         value: string;
        };
        default: boolean;
       }[] | null;
       channels: {
        name: string;
        value: {
         /** @enum {string} */
         type: "literal";
         value: string;
        };
        default: boolean;
       }[] | null;
       registration: {
        open: boolean;
        identifiers: ("id" | "unicity" | "hash")[];
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {string} */
      type?: "native";
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: unknown;
      stamp?: unknown;
      icon?: string | null;
      providers?: ({
       /** @enum {string} */
       type: "firebase" | "apns" | "http" | "webpush";
      } & ({
       /** @enum {string} */
       type: "firebase";
       key?: string | {
        [key: string]: unknown;
       } | null;
       sender?: string | null;
       baseUrl?: string | null;
       tokenUrl?: string | null;
       fingerprint?: unknown;
       restingSince?: unknown;
       restingUntil?: unknown;
      } | {
       /** @enum {string} */
       type: "apns";
       certificate?: {
        /** @enum {unknown} */
        type: "p12" | "p8";
        value?: string | null;
        password?: string | null;
        expiration?: unknown;
        keyId?: string | null;
        teamId?: string | null;
       };
       bundle?: string;
       /** @enum {unknown} */
       environment?: "production" | "sandbox";
       baseUrl?: string | null;
       fingerprint?: unknown;
       restingSince?: unknown;
       restingUntil?: unknown;
      } | {
       /** @enum {string} */
       type: "http";
       url?: string;
       secret?: string | null;
       fingerprint?: unknown;
       restingSince?: unknown;
       restingUntil?: unknown;
      } | {
       /** @enum {string} */
       type: "webpush";
       publicKey?: string | null;
       privateKey?: string | null;
       subject?: string;
       baseUrl?: string | null;
       fingerprint?: unknown;
       restingSince?: unknown;
       restingUntil?: unknown;
      }))[];
      routes?: {
       name: string;
       value: {
        /** @enum {string} */
        type: "literal";
        value: string;
       };
       default?: boolean;
      }[] | null;
      channels?: {
       name: string;
       value: {
        /** @enum {string} */
        type: "literal";
        value: string;
       };
       default?: boolean;
      }[] | null;
      registration?: {
       open?: boolean;
       identifiers?: ("id" | "unicity" | "hash")[];
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "native";
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       icon: string | null;
       providers: ({
        /** @enum {string} */
        type: "firebase";
        key: null;
        sender: string | null;
        baseUrl?: string;
        tokenUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "apns";
        certificate: {
         /** @enum {string} */
         type: "p12";
         value: null;
         password: null;
         /** Format: date-time */
         expiration: string | null;
        } | {
         /** @enum {string} */
         type: "p8";
         value: null;
         keyId: string;
         teamId: string;
        };
        bundle: string;
        /** @enum {unknown} */
        environment: "production" | "sandbox";
        baseUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "http";
        url: string;
        secret: string | null;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "webpush";
        publicKey: string | null;
        privateKey: null;
        subject: string;
        baseUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       })[];
       routes: {
        name: string;
        value: {
         /** @enum {string} */
         type: "literal";
         value: string;
        };
        default: boolean;
       }[] | null;
       channels: {
        name: string;
        value: {
         /** @enum {string} */
         type: "literal";
         value: string;
        };
        default: boolean;
       }[] | null;
       registration: {
        open: boolean;
        identifiers: ("id" | "unicity" | "hash")[];
       };
      };
     };
    };
   };
  };
 };
 "/parameters/applications/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "native";
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       icon: string | null;
       providers: ({
        /** @enum {string} */
        type: "firebase";
        key: null;
        sender: string | null;
        baseUrl?: string;
        tokenUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "apns";
        certificate: {
         /** @enum {string} */
         type: "p12";
         value: null;
         password: null;
         /** Format: date-time */
         expiration: string | null;
        } | {
         /** @enum {string} */
         type: "p8";
         value: null;
         keyId: string;
         teamId: string;
        };
        bundle: string;
        /** @enum {unknown} */
        environment: "production" | "sandbox";
        baseUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "http";
        url: string;
        secret: string | null;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "webpush";
        publicKey: string | null;
        privateKey: null;
        subject: string;
        baseUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       })[];
       routes: {
        name: string;
        value: {
         /** @enum {string} */
         type: "literal";
         value: string;
        };
        default: boolean;
       }[] | null;
       channels: {
        name: string;
        value: {
         /** @enum {string} */
         type: "literal";
         value: string;
        };
        default: boolean;
       }[] | null;
       registration: {
        open: boolean;
        identifiers: ("id" | "unicity" | "hash")[];
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {string} */
      type?: "native";
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: unknown;
      stamp?: unknown;
      icon?: string | null;
      providers?: ({
       /** @enum {string} */
       type: "firebase" | "apns" | "http" | "webpush";
      } & ({
       /** @enum {string} */
       type: "firebase";
       key?: string | {
        [key: string]: unknown;
       } | null;
       sender?: string | null;
       baseUrl?: string | null;
       tokenUrl?: string | null;
       fingerprint?: unknown;
       restingSince?: unknown;
       restingUntil?: unknown;
      } | {
       /** @enum {string} */
       type: "apns";
       certificate?: {
        /** @enum {unknown} */
        type: "p12" | "p8";
        value?: string | null;
        password?: string | null;
        expiration?: unknown;
        keyId?: string | null;
        teamId?: string | null;
       };
       bundle?: string;
       /** @enum {unknown} */
       environment?: "production" | "sandbox";
       baseUrl?: string | null;
       fingerprint?: unknown;
       restingSince?: unknown;
       restingUntil?: unknown;
      } | {
       /** @enum {string} */
       type: "http";
       url?: string;
       secret?: string | null;
       fingerprint?: unknown;
       restingSince?: unknown;
       restingUntil?: unknown;
      } | {
       /** @enum {string} */
       type: "webpush";
       publicKey?: string | null;
       privateKey?: string | null;
       subject?: string;
       baseUrl?: string | null;
       fingerprint?: unknown;
       restingSince?: unknown;
       restingUntil?: unknown;
      }))[];
      routes?: {
       name: string;
       value: {
        /** @enum {string} */
        type: "literal";
        value: string;
       };
       default?: boolean;
      }[] | null;
      channels?: {
       name: string;
       value: {
        /** @enum {string} */
        type: "literal";
        value: string;
       };
       default?: boolean;
      }[] | null;
      registration?: {
       open?: boolean;
       identifiers?: ("id" | "unicity" | "hash")[];
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "native";
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       icon: string | null;
       providers: ({
        /** @enum {string} */
        type: "firebase";
        key: null;
        sender: string | null;
        baseUrl?: string;
        tokenUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "apns";
        certificate: {
         /** @enum {string} */
         type: "p12";
         value: null;
         password: null;
         /** Format: date-time */
         expiration: string | null;
        } | {
         /** @enum {string} */
         type: "p8";
         value: null;
         keyId: string;
         teamId: string;
        };
        bundle: string;
        /** @enum {unknown} */
        environment: "production" | "sandbox";
        baseUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "http";
        url: string;
        secret: string | null;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       } | {
        /** @enum {string} */
        type: "webpush";
        publicKey: string | null;
        privateKey: null;
        subject: string;
        baseUrl?: string;
        fingerprint: string | null;
        /** Format: date-time */
        restingSince?: string;
        /** Format: date-time */
        restingUntil?: string;
       })[];
       routes: {
        name: string;
        value: {
         /** @enum {string} */
         type: "literal";
         value: string;
        };
        default: boolean;
       }[] | null;
       channels: {
        name: string;
        value: {
         /** @enum {string} */
         type: "literal";
         value: string;
        };
        default: boolean;
       }[] | null;
       registration: {
        open: boolean;
        identifiers: ("id" | "unicity" | "hash")[];
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/parameters/applications/{id}/activation": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/subscriptions": {
  put: {
   requestBody: {
    content: {
     "application/json": {
      id?: string | null;
      application: string;
      provider?: {
       /** @enum {unknown} */
       type: "firebase" | "apns" | "http" | "webpush";
       token?: string;
       endpoint?: string;
       keys?: {
        p256dh?: string;
        auth?: string;
       };
      };
      gateway?: {
       /** @enum {unknown} */
       type: "firebase" | "apns" | "http" | "webpush";
       token?: string;
       endpoint?: string;
       keys?: {
        p256dh?: string;
        auth?: string;
       };
      };
      contact?: {
       /** @enum {unknown} */
       type: "id" | "unicity" | "hash" | "footprint";
       value?: string | string[];
       id?: string;
       unicity?: unknown;
       hash?: unknown;
      } | null;
      linked?: {
       /** @enum {unknown} */
       type: "id" | "unicity" | "hash" | "footprint";
       value?: string | string[];
       id?: string;
       unicity?: unknown;
       hash?: unknown;
      } | null;
      culture?: string | null;
      protocol?: string | null;
      muted?: unknown;
      lifecycle?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** Format: uuid */
       application: string;
       provider: {
        /** @enum {unknown} */
        type: "firebase" | "apns" | "http";
        token: string;
       } | {
        /** @enum {string} */
        type: "webpush";
        endpoint: string;
        keys: {
         p256dh: string;
         auth: string;
        };
       };
       contact: {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | null;
       culture: string | null;
       protocol: string | null;
       muted: {
        global: boolean;
        channels: (string | null)[];
       } | null;
       lifecycle: {
        creation: {
         /** Format: date-time */
         date: string;
         user: {
          id: number;
          name: string;
         } | null;
        };
        modification?: {
         /** Format: date-time */
         date: string;
         user: {
          id: number;
          name: string;
         } | null;
        };
       };
      };
     };
    };
   };
  };
 };
 "/subscriptions/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** Format: uuid */
       application: string;
       provider: {
        /** @enum {unknown} */
        type: "firebase" | "apns" | "http";
        token: string;
       } | {
        /** @enum {string} */
        type: "webpush";
        endpoint: string;
        keys: {
         p256dh: string;
         auth: string;
        };
       };
       contact: {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | null;
       culture: string | null;
       protocol: string | null;
       muted: {
        global: boolean;
        channels: (string | null)[];
       } | null;
       lifecycle: {
        creation: {
         /** Format: date-time */
         date: string;
         user: {
          id: number;
          name: string;
         } | null;
        };
        modification?: {
         /** Format: date-time */
         date: string;
         user: {
          id: number;
          name: string;
         } | null;
        };
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/targets/{id}/subscriptions": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** Format: uuid */
       application: string;
       provider: {
        /** @enum {unknown} */
        type: "firebase" | "apns" | "http";
        token: string;
       } | {
        /** @enum {string} */
        type: "webpush";
        endpoint: string;
        keys: {
         p256dh: string;
         auth: string;
        };
       };
       contact: {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | null;
       culture: string | null;
       protocol: string | null;
       muted: {
        global: boolean;
        channels: (string | null)[];
       } | null;
       lifecycle: {
        creation: {
         /** Format: date-time */
         date: string;
         user: {
          id: number;
          name: string;
         } | null;
        };
        modification?: {
         /** Format: date-time */
         date: string;
         user: {
          id: number;
          name: string;
         } | null;
        };
       };
      }[];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/targets/subscriptions": {
  get: {
   parameters: {
    query?: {
     unicity?: string;
     hash?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** Format: uuid */
       application: string;
       provider: {
        /** @enum {unknown} */
        type: "firebase" | "apns" | "http";
        token: string;
       } | {
        /** @enum {string} */
        type: "webpush";
        endpoint: string;
        keys: {
         p256dh: string;
         auth: string;
        };
       };
       contact: {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | null;
       culture: string | null;
       protocol: string | null;
       muted: {
        global: boolean;
        channels: (string | null)[];
       } | null;
       lifecycle: {
        creation: {
         /** Format: date-time */
         date: string;
         user: {
          id: number;
          name: string;
         } | null;
        };
        modification?: {
         /** Format: date-time */
         date: string;
         user: {
          id: number;
          name: string;
         } | null;
        };
       };
      }[];
     };
    };
   };
  };
  delete: {
   parameters: {
    query?: {
     unicity?: string;
     hash?: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/parameters/applications/subscriptions": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       application: string;
       subscriptions: number;
       live: number;
       contacts: number;
       anonymous: number;
       muted: number;
       latest: string | null;
       providers: {
        /** @enum {unknown} */
        type: "firebase" | "apns" | "http" | "webpush";
        count: number;
       }[];
      }[];
     };
    };
   };
  };
 };
 "/marketing/pressure/topics/{id}/links": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       type: string;
       id: string | number;
       name: string;
      }[];
     };
    };
   };
  };
 };
 "/marketing/pressure/topics": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       label: string;
       description: string | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       createdBy: string;
       modifiedBy: string;
       who: {
        creation: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
        modification: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      stamp?: unknown;
      createdBy?: unknown;
      modifiedBy?: unknown;
      who?: unknown;
      label?: string;
      description?: string | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       label: string;
       description: string | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       createdBy: string;
       modifiedBy: string;
       who: {
        creation: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
        modification: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
       };
      };
     };
    };
   };
  };
 };
 "/marketing/pressure/topics/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       label: string;
       description: string | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       createdBy: string;
       modifiedBy: string;
       who: {
        creation: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
        modification: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      stamp?: unknown;
      createdBy?: unknown;
      modifiedBy?: unknown;
      who?: unknown;
      label?: string;
      description?: string | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       label: string;
       description: string | null;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       createdBy: string;
       modifiedBy: string;
       who: {
        creation: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
        modification: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/marketing/pressure/rules": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       label: string;
       active: boolean;
       predicate: {
        /** @enum {unknown} */
        type: "and" | "or";
        expressions: {
         /** @enum {unknown} */
         type: "limit";
         count: number;
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "HOUR" | "DAY" | "WEEK" | "MONTH";
          value: number;
         };
         channels: ("email" | "sms" | "rcs" | "notification")[];
         topics: string[];
         purposes: ("marketing" | "service")[];
         reserve: number;
         reservePriority: number;
         window: {
          from: string;
          to: string;
          daysOfWeek?: number[];
         } | null;
        }[];
       };
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       createdBy: string;
       modifiedBy: string;
       who: {
        creation: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
        modification: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      stamp?: unknown;
      createdBy?: unknown;
      modifiedBy?: unknown;
      who?: unknown;
      label?: string;
      active?: boolean;
      predicate?: {
       /** @enum {unknown} */
       type: "and" | "or";
       expressions: {
        /** @enum {unknown} */
        type: "limit";
        count: number;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "HOUR" | "DAY" | "WEEK" | "MONTH";
         value: number;
        };
        channels?: ("email" | "sms" | "rcs" | "notification")[] | null;
        topics?: string[] | null;
        purposes?: ("marketing" | "service")[] | null;
        reserve?: number | null;
        reservePriority?: number | null;
        window?: {
         from: string;
         to: string;
         daysOfWeek?: number[] | null;
        } | null;
       }[];
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       label: string;
       active: boolean;
       predicate: {
        /** @enum {unknown} */
        type: "and" | "or";
        expressions: {
         /** @enum {unknown} */
         type: "limit";
         count: number;
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "HOUR" | "DAY" | "WEEK" | "MONTH";
          value: number;
         };
         channels: ("email" | "sms" | "rcs" | "notification")[];
         topics: string[];
         purposes: ("marketing" | "service")[];
         reserve: number;
         reservePriority: number;
         window: {
          from: string;
          to: string;
          daysOfWeek?: number[];
         } | null;
        }[];
       };
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       createdBy: string;
       modifiedBy: string;
       who: {
        creation: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
        modification: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
       };
      };
     };
    };
   };
  };
 };
 "/marketing/pressure/rules/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       label: string;
       active: boolean;
       predicate: {
        /** @enum {unknown} */
        type: "and" | "or";
        expressions: {
         /** @enum {unknown} */
         type: "limit";
         count: number;
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "HOUR" | "DAY" | "WEEK" | "MONTH";
          value: number;
         };
         channels: ("email" | "sms" | "rcs" | "notification")[];
         topics: string[];
         purposes: ("marketing" | "service")[];
         reserve: number;
         reservePriority: number;
         window: {
          from: string;
          to: string;
          daysOfWeek?: number[];
         } | null;
        }[];
       };
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       createdBy: string;
       modifiedBy: string;
       who: {
        creation: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
        modification: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      stamp?: unknown;
      createdBy?: unknown;
      modifiedBy?: unknown;
      who?: unknown;
      label?: string;
      active?: boolean;
      predicate?: {
       /** @enum {unknown} */
       type: "and" | "or";
       expressions: {
        /** @enum {unknown} */
        type: "limit";
        count: number;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "HOUR" | "DAY" | "WEEK" | "MONTH";
         value: number;
        };
        channels?: ("email" | "sms" | "rcs" | "notification")[] | null;
        topics?: string[] | null;
        purposes?: ("marketing" | "service")[] | null;
        reserve?: number | null;
        reservePriority?: number | null;
        window?: {
         from: string;
         to: string;
         daysOfWeek?: number[] | null;
        } | null;
       }[];
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       label: string;
       active: boolean;
       predicate: {
        /** @enum {unknown} */
        type: "and" | "or";
        expressions: {
         /** @enum {unknown} */
         type: "limit";
         count: number;
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "HOUR" | "DAY" | "WEEK" | "MONTH";
          value: number;
         };
         channels: ("email" | "sms" | "rcs" | "notification")[];
         topics: string[];
         purposes: ("marketing" | "service")[];
         reserve: number;
         reservePriority: number;
         window: {
          from: string;
          to: string;
          daysOfWeek?: number[];
         } | null;
        }[];
       };
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       createdBy: string;
       modifiedBy: string;
       who: {
        creation: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
        modification: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        } | null;
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/settings/marketing/pressure/topic": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": boolean;
     };
    };
   };
  };
  put: {
   requestBody: {
    content: {
     "application/json": unknown;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": boolean;
     };
    };
   };
  };
 };
 "/settings/marketing/pressure": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       timeZoneField: number | null;
      };
     };
    };
   };
  };
  put: {
   requestBody: {
    content: {
     "application/json": {
      timeZoneField?: number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       timeZoneField: number | null;
      };
     };
    };
   };
  };
 };
 "/targets/{id}/pressure": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       rule: {
        /** Format: uuid */
        id: string;
        label: string;
       };
       expression: number;
       channels: ("email" | "sms" | "rcs" | "notification")[];
       topics: string[];
       purposes: ("marketing" | "service")[];
       count: number;
       limit: number;
       remaining: number;
       until: number | null;
       waiting: {
        /** @enum {unknown} */
        channel: "email" | "sms" | "rcs" | "notification";
        type: string;
        id: string | number;
        stamp: {
         time: number;
         /** Format: uuid */
         id: string;
         /** Format: uuid */
         thread: string;
         /** Format: uuid */
         set: string;
        };
        until: number;
       }[];
      }[];
     };
    };
   };
  };
 };
 "/marketing/pressure/limited": {
  get: {
   parameters: {
    query?: {
     channel?: "email" | "sms" | "rcs" | "notification";
     purpose?: "marketing" | "service";
     topic?: string;
     priority?: number;
     rule?: string;
     limit?: number;
     after?: string;
     at?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       items: {
        id: string;
        unicity: string;
        rule: {
         /** Format: uuid */
         id: string;
         label: string;
        };
        expression: number;
        limit: number;
        until: number | null;
        count: number;
       }[];
       total: number;
       exact: boolean;
       next: string | null;
       closed: {
        rule: {
         /** Format: uuid */
         id: string;
         label: string;
        };
        expression: number;
        limit: number;
        until: number | null;
       }[];
      };
     };
    };
   };
  };
 };
 "/marketing/pressure/backtest": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      rule: {
       id?: unknown;
       stamp?: unknown;
       createdBy?: unknown;
       modifiedBy?: unknown;
       who?: unknown;
       label?: string;
       active?: boolean;
       predicate?: {
        /** @enum {unknown} */
        type: "and" | "or";
        expressions: {
         /** @enum {unknown} */
         type: "limit";
         count: number;
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "HOUR" | "DAY" | "WEEK" | "MONTH";
          value: number;
         };
         channels?: ("email" | "sms" | "rcs" | "notification")[] | null;
         topics?: string[] | null;
         purposes?: ("marketing" | "service")[] | null;
         reserve?: number | null;
         reservePriority?: number | null;
         window?: {
          from: string;
          to: string;
          daysOfWeek?: number[] | null;
         } | null;
        }[];
       };
      };
      start: string | number;
      end: string | number;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       messages: number;
       stopped: number;
       contacts: number;
       byAction: {
        type: string;
        id: string | number;
        name: string;
        messages: number;
        stopped: number;
       }[];
       byDay: {
        /** Format: date */
        date: string;
        messages: number;
        stopped: number;
       }[];
      };
     };
    };
    202: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       type: string;
       /** @enum {unknown} */
       state: "queued" | "running" | "done" | "failed";
       /** Format: date-time */
       creationDate: string;
       startDate: string | null;
       endDate: string | null;
       progress: {
        done: number;
        total: number | null;
       };
       result: unknown;
       error: {
        type: string;
        detail: string;
       } | null;
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     creation_start?: string;
     creation_end?: string;
     category?: number;
     campaign?: string;
     name?: string;
     report?: boolean;
     state?: string;
     sort?: string;
     type?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** @enum {unknown} */
       type: "rcsMessage" | "rcsCampaign";
       id: number;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
       };
       settings: {
        profile: number | null;
        field: number;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        trafficType: ("AUTHENTICATION" | "TRANSACTION" | "PROMOTION" | "SERVICEREQUEST" | "ACKNOWLEDGEMENT") | null;
        expiration: {
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | null;
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        culture: string;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        environment: {
         [key: string]: unknown;
        };
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
       };
       content: ({
        /** @enum {string} */
        type: "text" | "file" | "card" | "carousel";
       } & ({
        /** @enum {string} */
        type: "text";
        text: string;
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
        persistent?: boolean;
       } | {
        /** @enum {string} */
        type: "file";
        file: {
         url?: string;
         thumbnailUrl?: string;
         forceRefresh?: boolean;
         fileName?: string;
         thumbnailName?: string;
         alt?: string;
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "card";
        /** @enum {unknown} */
        orientation: "VERTICAL" | "HORIZONTAL";
        /** @enum {unknown} */
        alignment?: "LEFT" | "RIGHT";
        card: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "carousel";
        /** @enum {unknown} */
        width: "SMALL" | "MEDIUM";
        cards: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        }[];
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       })) | null;
       fallback: {
        /** @enum {string} */
        type: "sms";
        text: string;
        sender?: string | null;
        after?: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       } | null;
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
       report?: {
        audience: number | null;
        sent: number;
        refused: number | null;
        held: number | null;
        cancelled: number | null;
        pending: number | null;
        opens: {
         human: number;
         machine: number;
         contacts: number;
        };
        clicks: {
         human: number;
         machine: number;
         contacts: number;
        };
        unsubscribes: number;
        complaints: number;
        replies: number;
        bounces: number;
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      type?: "rcsMessage" | "rcsCampaign";
      id?: unknown;
      state?: unknown;
      name?: string;
      description?: string | null;
      creationDate?: unknown;
      updateDate?: unknown;
      information?: unknown;
      informations?: {
       folder?: number | null;
       category?: number | null;
       state?: unknown;
       paused?: unknown;
       lastValidation?: unknown;
      };
      settings?: {
       profile?: number | null;
       field?: number | null;
       trafficType?: ("AUTHENTICATION" | "TRANSACTION" | "PROMOTION" | "SERVICEREQUEST" | "ACKNOWLEDGEMENT") | null;
       expiration?: {
        /** @enum {string} */
        type: "period";
        value: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
       } | null;
       purpose?: {
        type?: string;
       };
       /** @enum {unknown} */
       consent?: 0 | 1 | 2;
       priority?: boolean;
       environment?: {
        [key: string]: unknown;
       };
       mp?: {
        use?: boolean;
        increment?: boolean;
        /** Format: uuid */
        topic?: string | null;
        priority?: number;
        /** @enum {unknown} */
        onLimit?: "cancel" | "postpone";
        postponeHours?: number;
       };
       templating?: {
        /** @enum {unknown} */
        version?: "2" | "4" | "4.1" | 2 | 4 | 4.1;
       };
       culture?: string | null;
      };
      content?: ({
       type?: string;
      } & {
       [key: string]: unknown;
      }) | null;
      scheduler?: {
       /** @enum {unknown} */
       type?: "asap" | "scheduled" | "timeZoneSchedule";
       speed?: number;
       timeZoneField?: number | null;
       startDate?: (string | number) | null;
       endDate?: (string | number) | null;
       segments?: {
        selected?: number[];
        excluded?: number[];
       };
      } | null;
      monitor?: unknown;
      fallback?: ({
       type?: string;
      } & {
       [key: string]: unknown;
      }) | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** @enum {unknown} */
       type: "rcsMessage" | "rcsCampaign";
       id: number;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
       };
       settings: {
        profile: number | null;
        field: number;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        trafficType: ("AUTHENTICATION" | "TRANSACTION" | "PROMOTION" | "SERVICEREQUEST" | "ACKNOWLEDGEMENT") | null;
        expiration: {
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | null;
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        culture: string;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        environment: {
         [key: string]: unknown;
        };
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
       };
       content: ({
        /** @enum {string} */
        type: "text" | "file" | "card" | "carousel";
       } & ({
        /** @enum {string} */
        type: "text";
        text: string;
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
        persistent?: boolean;
       } | {
        /** @enum {string} */
        type: "file";
        file: {
         url?: string;
         thumbnailUrl?: string;
         forceRefresh?: boolean;
         fileName?: string;
         thumbnailName?: string;
         alt?: string;
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "card";
        /** @enum {unknown} */
        orientation: "VERTICAL" | "HORIZONTAL";
        /** @enum {unknown} */
        alignment?: "LEFT" | "RIGHT";
        card: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "carousel";
        /** @enum {unknown} */
        width: "SMALL" | "MEDIUM";
        cards: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        }[];
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       })) | null;
       fallback: {
        /** @enum {string} */
        type: "sms";
        text: string;
        sender?: string | null;
        after?: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       } | null;
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** @enum {unknown} */
       type: "rcsMessage" | "rcsCampaign";
       id: number;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
       };
       settings: {
        profile: number | null;
        field: number;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        trafficType: ("AUTHENTICATION" | "TRANSACTION" | "PROMOTION" | "SERVICEREQUEST" | "ACKNOWLEDGEMENT") | null;
        expiration: {
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | null;
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        culture: string;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        environment: {
         [key: string]: unknown;
        };
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
       };
       content: ({
        /** @enum {string} */
        type: "text" | "file" | "card" | "carousel";
       } & ({
        /** @enum {string} */
        type: "text";
        text: string;
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
        persistent?: boolean;
       } | {
        /** @enum {string} */
        type: "file";
        file: {
         url?: string;
         thumbnailUrl?: string;
         forceRefresh?: boolean;
         fileName?: string;
         thumbnailName?: string;
         alt?: string;
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "card";
        /** @enum {unknown} */
        orientation: "VERTICAL" | "HORIZONTAL";
        /** @enum {unknown} */
        alignment?: "LEFT" | "RIGHT";
        card: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "carousel";
        /** @enum {unknown} */
        width: "SMALL" | "MEDIUM";
        cards: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        }[];
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       })) | null;
       fallback: {
        /** @enum {string} */
        type: "sms";
        text: string;
        sender?: string | null;
        after?: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       } | null;
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      type?: "rcsMessage" | "rcsCampaign";
      id?: unknown;
      state?: unknown;
      name?: string;
      description?: string | null;
      creationDate?: unknown;
      updateDate?: unknown;
      information?: unknown;
      informations?: {
       folder?: number | null;
       category?: number | null;
       state?: unknown;
       paused?: unknown;
       lastValidation?: unknown;
      };
      settings?: {
       profile?: number | null;
       field?: number | null;
       trafficType?: ("AUTHENTICATION" | "TRANSACTION" | "PROMOTION" | "SERVICEREQUEST" | "ACKNOWLEDGEMENT") | null;
       expiration?: {
        /** @enum {string} */
        type: "period";
        value: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
       } | null;
       purpose?: {
        type?: string;
       };
       /** @enum {unknown} */
       consent?: 0 | 1 | 2;
       priority?: boolean;
       environment?: {
        [key: string]: unknown;
       };
       mp?: {
        use?: boolean;
        increment?: boolean;
        /** Format: uuid */
        topic?: string | null;
        priority?: number;
        /** @enum {unknown} */
        onLimit?: "cancel" | "postpone";
        postponeHours?: number;
       };
       templating?: {
        /** @enum {unknown} */
        version?: "2" | "4" | "4.1" | 2 | 4 | 4.1;
       };
       culture?: string | null;
      };
      content?: ({
       type?: string;
      } & {
       [key: string]: unknown;
      }) | null;
      scheduler?: {
       /** @enum {unknown} */
       type?: "asap" | "scheduled" | "timeZoneSchedule";
       speed?: number;
       timeZoneField?: number | null;
       startDate?: (string | number) | null;
       endDate?: (string | number) | null;
       segments?: {
        selected?: number[];
        excluded?: number[];
       };
      } | null;
      monitor?: unknown;
      fallback?: ({
       type?: string;
      } & {
       [key: string]: unknown;
      }) | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** @enum {unknown} */
       type: "rcsMessage" | "rcsCampaign";
       id: number;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
       };
       settings: {
        profile: number | null;
        field: number;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        trafficType: ("AUTHENTICATION" | "TRANSACTION" | "PROMOTION" | "SERVICEREQUEST" | "ACKNOWLEDGEMENT") | null;
        expiration: {
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | null;
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        culture: string;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        environment: {
         [key: string]: unknown;
        };
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
       };
       content: ({
        /** @enum {string} */
        type: "text" | "file" | "card" | "carousel";
       } & ({
        /** @enum {string} */
        type: "text";
        text: string;
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
        persistent?: boolean;
       } | {
        /** @enum {string} */
        type: "file";
        file: {
         url?: string;
         thumbnailUrl?: string;
         forceRefresh?: boolean;
         fileName?: string;
         thumbnailName?: string;
         alt?: string;
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "card";
        /** @enum {unknown} */
        orientation: "VERTICAL" | "HORIZONTAL";
        /** @enum {unknown} */
        alignment?: "LEFT" | "RIGHT";
        card: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "carousel";
        /** @enum {unknown} */
        width: "SMALL" | "MEDIUM";
        cards: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        }[];
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       })) | null;
       fallback: {
        /** @enum {string} */
        type: "sms";
        text: string;
        sender?: string | null;
        after?: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       } | null;
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** @enum {unknown} */
       type: "rcsMessage" | "rcsCampaign";
       id: number;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
       };
       settings: {
        profile: number | null;
        field: number;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        trafficType: ("AUTHENTICATION" | "TRANSACTION" | "PROMOTION" | "SERVICEREQUEST" | "ACKNOWLEDGEMENT") | null;
        expiration: {
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | null;
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        culture: string;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        environment: {
         [key: string]: unknown;
        };
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
       };
       content: ({
        /** @enum {string} */
        type: "text" | "file" | "card" | "carousel";
       } & ({
        /** @enum {string} */
        type: "text";
        text: string;
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
        persistent?: boolean;
       } | {
        /** @enum {string} */
        type: "file";
        file: {
         url?: string;
         thumbnailUrl?: string;
         forceRefresh?: boolean;
         fileName?: string;
         thumbnailName?: string;
         alt?: string;
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "card";
        /** @enum {unknown} */
        orientation: "VERTICAL" | "HORIZONTAL";
        /** @enum {unknown} */
        alignment?: "LEFT" | "RIGHT";
        card: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "carousel";
        /** @enum {unknown} */
        width: "SMALL" | "MEDIUM";
        cards: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        }[];
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       })) | null;
       fallback: {
        /** @enum {string} */
        type: "sms";
        text: string;
        sender?: string | null;
        after?: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       } | null;
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/duplication": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** @enum {unknown} */
       type: "rcsMessage" | "rcsCampaign";
       id: number;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
       };
       settings: {
        profile: number | null;
        field: number;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        trafficType: ("AUTHENTICATION" | "TRANSACTION" | "PROMOTION" | "SERVICEREQUEST" | "ACKNOWLEDGEMENT") | null;
        expiration: {
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | null;
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        culture: string;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        environment: {
         [key: string]: unknown;
        };
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
       };
       content: ({
        /** @enum {string} */
        type: "text" | "file" | "card" | "carousel";
       } & ({
        /** @enum {string} */
        type: "text";
        text: string;
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
        persistent?: boolean;
       } | {
        /** @enum {string} */
        type: "file";
        file: {
         url?: string;
         thumbnailUrl?: string;
         forceRefresh?: boolean;
         fileName?: string;
         thumbnailName?: string;
         alt?: string;
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "card";
        /** @enum {unknown} */
        orientation: "VERTICAL" | "HORIZONTAL";
        /** @enum {unknown} */
        alignment?: "LEFT" | "RIGHT";
        card: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       } | {
        /** @enum {string} */
        type: "carousel";
        /** @enum {unknown} */
        width: "SMALL" | "MEDIUM";
        cards: {
         title?: string;
         description?: string;
         media?: {
          /** @enum {unknown} */
          height: "SHORT" | "MEDIUM" | "TALL";
          file: {
           url?: string;
           thumbnailUrl?: string;
           forceRefresh?: boolean;
           fileName?: string;
           thumbnailName?: string;
           alt?: string;
          };
         };
         suggestions?: ({
          /** @enum {string} */
          type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
         } & ({
          /** @enum {string} */
          type: "reply";
          text: string;
          postback?: string;
         } | {
          /** @enum {string} */
          type: "openUrl";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          url: string;
          tracked?: boolean;
          /** @enum {unknown} */
          application?: "BROWSER" | "WEBVIEW";
          /** @enum {unknown} */
          webviewViewMode?: "FULL" | "HALF" | "TALL";
          description?: string;
         } | {
          /** @enum {string} */
          type: "dial";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
         } | {
          /** @enum {string} */
          type: "viewLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          latitude?: number;
          longitude?: number;
          label?: string;
          query?: string;
         } | {
          /** @enum {string} */
          type: "shareLocation";
          text: string;
          postback?: string;
          fallbackUrl?: string;
         } | {
          /** @enum {string} */
          type: "createCalendarEvent";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          startTime: string | number;
          endTime: string | number;
          title: string;
          description?: string;
         } | {
          /** @enum {string} */
          type: "compose";
          text: string;
          postback?: string;
          fallbackUrl?: string;
          phoneNumber: string;
          message?: string;
          /** @enum {unknown} */
          recording?: "AUDIO" | "VIDEO";
         }))[];
        }[];
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       })) | null;
       fallback: {
        /** @enum {string} */
        type: "sms";
        text: string;
        sender?: string | null;
        after?: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       } | null;
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/validation": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      fortest?: boolean | null;
      comments?: string | null;
     } | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/pause": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/execution": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      receiver?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      blocks?: {
       [key: string]: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      content?: ({
       /** @enum {string} */
       type: "text" | "file" | "card" | "carousel";
      } & ({
       /** @enum {string} */
       type: "text";
       text: string;
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
       persistent?: boolean;
      } | {
       /** @enum {string} */
       type: "file";
       file: {
        url?: string;
        thumbnailUrl?: string;
        forceRefresh?: boolean;
        fileName?: string;
        thumbnailName?: string;
        alt?: string;
       };
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      } | {
       /** @enum {string} */
       type: "card";
       /** @enum {unknown} */
       orientation: "VERTICAL" | "HORIZONTAL";
       /** @enum {unknown} */
       alignment?: "LEFT" | "RIGHT";
       card: {
        title?: string;
        description?: string;
        media?: {
         /** @enum {unknown} */
         height: "SHORT" | "MEDIUM" | "TALL";
         file: {
          url?: string;
          thumbnailUrl?: string;
          forceRefresh?: boolean;
          fileName?: string;
          thumbnailName?: string;
          alt?: string;
         };
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       };
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      } | {
       /** @enum {string} */
       type: "carousel";
       /** @enum {unknown} */
       width: "SMALL" | "MEDIUM";
       cards: {
        title?: string;
        description?: string;
        media?: {
         /** @enum {unknown} */
         height: "SHORT" | "MEDIUM" | "TALL";
         file: {
          url?: string;
          thumbnailUrl?: string;
          forceRefresh?: boolean;
          fileName?: string;
          thumbnailName?: string;
          alt?: string;
         };
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       }[];
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      })) | null;
      fallback?: {
       /** @enum {string} */
       type: "sms";
       text: string;
       sender?: string | null;
       after?: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       } | null;
      } | null;
      expiration?: {
       /** @enum {string} */
       type: "period";
       value: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
      } | null;
      urgent?: boolean | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "attachment";
        name: string | null;
        message: string;
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/executions": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      receiver?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      blocks?: {
       [key: string]: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      content?: ({
       /** @enum {string} */
       type: "text" | "file" | "card" | "carousel";
      } & ({
       /** @enum {string} */
       type: "text";
       text: string;
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
       persistent?: boolean;
      } | {
       /** @enum {string} */
       type: "file";
       file: {
        url?: string;
        thumbnailUrl?: string;
        forceRefresh?: boolean;
        fileName?: string;
        thumbnailName?: string;
        alt?: string;
       };
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      } | {
       /** @enum {string} */
       type: "card";
       /** @enum {unknown} */
       orientation: "VERTICAL" | "HORIZONTAL";
       /** @enum {unknown} */
       alignment?: "LEFT" | "RIGHT";
       card: {
        title?: string;
        description?: string;
        media?: {
         /** @enum {unknown} */
         height: "SHORT" | "MEDIUM" | "TALL";
         file: {
          url?: string;
          thumbnailUrl?: string;
          forceRefresh?: boolean;
          fileName?: string;
          thumbnailName?: string;
          alt?: string;
         };
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       };
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      } | {
       /** @enum {string} */
       type: "carousel";
       /** @enum {unknown} */
       width: "SMALL" | "MEDIUM";
       cards: {
        title?: string;
        description?: string;
        media?: {
         /** @enum {unknown} */
         height: "SHORT" | "MEDIUM" | "TALL";
         file: {
          url?: string;
          thumbnailUrl?: string;
          forceRefresh?: boolean;
          fileName?: string;
          thumbnailName?: string;
          alt?: string;
         };
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       }[];
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      })) | null;
      fallback?: {
       /** @enum {string} */
       type: "sms";
       text: string;
       sender?: string | null;
       after?: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       } | null;
      } | null;
      expiration?: {
       /** @enum {string} */
       type: "period";
       value: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
      } | null;
      urgent?: boolean | null;
     }[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "attachment";
        name: string | null;
        message: string;
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      })[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/proof": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      testSegments?: number[] | null;
      mediaForTest?: string | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      blocks?: {
       [key: string]: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      content?: ({
       /** @enum {string} */
       type: "text" | "file" | "card" | "carousel";
      } & ({
       /** @enum {string} */
       type: "text";
       text: string;
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
       persistent?: boolean;
      } | {
       /** @enum {string} */
       type: "file";
       file: {
        url?: string;
        thumbnailUrl?: string;
        forceRefresh?: boolean;
        fileName?: string;
        thumbnailName?: string;
        alt?: string;
       };
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      } | {
       /** @enum {string} */
       type: "card";
       /** @enum {unknown} */
       orientation: "VERTICAL" | "HORIZONTAL";
       /** @enum {unknown} */
       alignment?: "LEFT" | "RIGHT";
       card: {
        title?: string;
        description?: string;
        media?: {
         /** @enum {unknown} */
         height: "SHORT" | "MEDIUM" | "TALL";
         file: {
          url?: string;
          thumbnailUrl?: string;
          forceRefresh?: boolean;
          fileName?: string;
          thumbnailName?: string;
          alt?: string;
         };
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       };
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      } | {
       /** @enum {string} */
       type: "carousel";
       /** @enum {unknown} */
       width: "SMALL" | "MEDIUM";
       cards: {
        title?: string;
        description?: string;
        media?: {
         /** @enum {unknown} */
         height: "SHORT" | "MEDIUM" | "TALL";
         file: {
          url?: string;
          thumbnailUrl?: string;
          forceRefresh?: boolean;
          fileName?: string;
          thumbnailName?: string;
          alt?: string;
         };
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       }[];
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      })) | null;
      fallback?: {
       /** @enum {string} */
       type: "sms";
       text: string;
       sender?: string | null;
       after?: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       } | null;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": (({
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "attachment";
        name: string | null;
        message: string;
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      }) & {
       warnings?: {
        type: string;
        message: string;
        pointer: string;
       }[];
      })[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/render": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      receiver?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      blocks?: {
       [key: string]: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      content?: ({
       /** @enum {string} */
       type: "text" | "file" | "card" | "carousel";
      } & ({
       /** @enum {string} */
       type: "text";
       text: string;
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
       persistent?: boolean;
      } | {
       /** @enum {string} */
       type: "file";
       file: {
        url?: string;
        thumbnailUrl?: string;
        forceRefresh?: boolean;
        fileName?: string;
        thumbnailName?: string;
        alt?: string;
       };
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      } | {
       /** @enum {string} */
       type: "card";
       /** @enum {unknown} */
       orientation: "VERTICAL" | "HORIZONTAL";
       /** @enum {unknown} */
       alignment?: "LEFT" | "RIGHT";
       card: {
        title?: string;
        description?: string;
        media?: {
         /** @enum {unknown} */
         height: "SHORT" | "MEDIUM" | "TALL";
         file: {
          url?: string;
          thumbnailUrl?: string;
          forceRefresh?: boolean;
          fileName?: string;
          thumbnailName?: string;
          alt?: string;
         };
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       };
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      } | {
       /** @enum {string} */
       type: "carousel";
       /** @enum {unknown} */
       width: "SMALL" | "MEDIUM";
       cards: {
        title?: string;
        description?: string;
        media?: {
         /** @enum {unknown} */
         height: "SHORT" | "MEDIUM" | "TALL";
         file: {
          url?: string;
          thumbnailUrl?: string;
          forceRefresh?: boolean;
          fileName?: string;
          thumbnailName?: string;
          alt?: string;
         };
        };
        suggestions?: ({
         /** @enum {string} */
         type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
        } & ({
         /** @enum {string} */
         type: "reply";
         text: string;
         postback?: string;
        } | {
         /** @enum {string} */
         type: "openUrl";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         url: string;
         tracked?: boolean;
         /** @enum {unknown} */
         application?: "BROWSER" | "WEBVIEW";
         /** @enum {unknown} */
         webviewViewMode?: "FULL" | "HALF" | "TALL";
         description?: string;
        } | {
         /** @enum {string} */
         type: "dial";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
        } | {
         /** @enum {string} */
         type: "viewLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         latitude?: number;
         longitude?: number;
         label?: string;
         query?: string;
        } | {
         /** @enum {string} */
         type: "shareLocation";
         text: string;
         postback?: string;
         fallbackUrl?: string;
        } | {
         /** @enum {string} */
         type: "createCalendarEvent";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         startTime: string | number;
         endTime: string | number;
         title: string;
         description?: string;
        } | {
         /** @enum {string} */
         type: "compose";
         text: string;
         postback?: string;
         fallbackUrl?: string;
         phoneNumber: string;
         message?: string;
         /** @enum {unknown} */
         recording?: "AUDIO" | "VIDEO";
        }))[];
       }[];
       suggestions?: ({
        /** @enum {string} */
        type: "reply" | "openUrl" | "dial" | "viewLocation" | "shareLocation" | "createCalendarEvent" | "compose";
       } & ({
        /** @enum {string} */
        type: "reply";
        text: string;
        postback?: string;
       } | {
        /** @enum {string} */
        type: "openUrl";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        url: string;
        tracked?: boolean;
        /** @enum {unknown} */
        application?: "BROWSER" | "WEBVIEW";
        /** @enum {unknown} */
        webviewViewMode?: "FULL" | "HALF" | "TALL";
        description?: string;
       } | {
        /** @enum {string} */
        type: "dial";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
       } | {
        /** @enum {string} */
        type: "viewLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        latitude?: number;
        longitude?: number;
        label?: string;
        query?: string;
       } | {
        /** @enum {string} */
        type: "shareLocation";
        text: string;
        postback?: string;
        fallbackUrl?: string;
       } | {
        /** @enum {string} */
        type: "createCalendarEvent";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        startTime: string | number;
        endTime: string | number;
        title: string;
        description?: string;
       } | {
        /** @enum {string} */
        type: "compose";
        text: string;
        postback?: string;
        fallbackUrl?: string;
        phoneNumber: string;
        message?: string;
        /** @enum {unknown} */
        recording?: "AUDIO" | "VIDEO";
       }))[];
      })) | null;
      fallback?: {
       /** @enum {string} */
       type: "sms";
       text: string;
       sender?: string | null;
       after?: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       } | null;
      } | null;
      context?: {
       recipient?: string | null;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       recipient: string | null;
       agent: string | null;
       message: {
        [key: string]: unknown;
       };
       fallback: {
        text: string;
        segments: number;
       } | null;
       warnings?: {
        type: string;
        message: string;
        pointer: string;
       }[];
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/render/contact/{contact}": {
  get: {
   parameters: {
    path: {
     id: string;
     contact: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       recipient: string | null;
       agent: string | null;
       message: {
        [key: string]: unknown;
       };
       fallback: {
        text: string;
        segments: number;
       } | null;
       warnings?: {
        type: string;
        message: string;
        pointer: string;
       }[];
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/render/contact": {
  get: {
   parameters: {
    query?: {
     unicity?: string;
     hash?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       recipient: string | null;
       agent: string | null;
       message: {
        [key: string]: unknown;
       };
       fallback: {
        text: string;
        segments: number;
       } | null;
       warnings?: {
        type: string;
        message: string;
        pointer: string;
       }[];
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/notifications": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     active?: boolean;
     state?: string;
     creation_start?: string;
     creation_end?: string;
     campaign?: string;
     name?: string;
     report?: boolean;
     sort?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "push-app";
       id: number;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       settings: {
        /** Format: uuid */
        application: string | null;
        urgent: boolean;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        expiration: ({
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | {
         /** @enum {string} */
         type: "date";
         value: {
          /** Format: date-time */
          date: string;
         };
        }) | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        culture: string;
       };
       task: {
        /** Format: uuid */
        id: string;
        name: string;
        description: string;
        segments: {
         selected: number[];
         excluded: number[];
        };
        scheduler: {
         /** @enum {unknown} */
         type: "asap" | "scheduled" | "cron";
         /** Format: uuid */
         id: string;
         name: string;
         segments: {
          selected: number[];
          excluded: number[];
         };
         /** Format: date-time */
         startDate?: string | null;
         minute?: string;
         hour?: string;
         dayOfMonth?: string;
         month?: string;
         dayOfWeek?: string;
         timeZone?: {
          id: string;
         };
         /** Format: date-time */
         lastRun: string | null;
         /** Format: date-time */
         nextRun: string | null;
        } | null;
       } | null;
       versions: {
        /** Format: uuid */
        id: string;
        name: string | null;
        master: boolean;
        condition: string | null;
        content: {
         title: string | null;
         body: string | null;
         icon: string | null;
         thumbnail: string | null;
         image: string | null;
         buttons: {
          title: string;
          redirection: {
           /** @enum {unknown} */
           type: "literal" | "route";
           value: string;
          } | null;
         }[];
        };
        redirection: {
         /** @enum {unknown} */
         type: "literal" | "route";
         value: string;
        } | null;
        channel: {
         /** @enum {unknown} */
         type: "literal" | "channel";
         value: string;
        } | null;
       }[];
       report?: {
        audience: number | null;
        sent: number;
        refused: number | null;
        held: number | null;
        cancelled: number | null;
        pending: number | null;
        opens: {
         human: number;
         machine: number;
         contacts: number;
        };
        clicks: {
         human: number;
         machine: number;
         contacts: number;
        };
        unsubscribes: number;
        complaints: number;
        replies: number;
        bounces: number;
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {string} */
      type?: "push-app";
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: unknown;
      stamp?: unknown;
      settings?: {
       application?: string | null;
       urgent?: boolean;
       purpose?: {
        type?: string;
       };
       expiration?: ({
        /** @enum {string} */
        type: "period";
        value: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
       } | {
        /** @enum {string} */
        type: "date";
        value: {
         date: string | number;
        } | (string | number);
       }) | null;
       mp?: {
        use?: boolean;
        increment?: boolean;
        /** Format: uuid */
        topic?: string | null;
        priority?: number;
        /** @enum {unknown} */
        onLimit?: "cancel" | "postpone";
        postponeHours?: number;
       };
       culture?: string | null;
      };
      task?: {
       id?: unknown;
       name?: string | null;
       description?: string | null;
       segments?: {
        selected?: number[];
        excluded?: number[];
       } | null;
       scheduler?: {
        /** @enum {unknown} */
        type?: "asap" | "scheduled" | "cron";
        id?: unknown;
        name?: string | null;
        segments?: {
         selected?: number[];
         excluded?: number[];
        } | null;
        startDate?: (string | number) | null;
        minute?: string;
        hour?: string;
        dayOfMonth?: string;
        month?: string;
        dayOfWeek?: string;
        timeZone?: {
         id: string;
        };
        lastRun?: unknown;
        nextRun?: unknown;
       } | null;
      } | null;
      versions?: {
       id?: string | null;
       name?: string | null;
       master?: boolean;
       condition?: string | null;
       content?: {
        title?: string | null;
        body?: string | null;
        icon?: string | null;
        thumbnail?: string | null;
        image?: string | null;
        buttons?: {
         title: string;
         redirection?: {
          /** @enum {unknown} */
          type: "literal" | "route";
          value: string;
         } | null;
        }[] | null;
       } | null;
       redirection?: {
        /** @enum {unknown} */
        type: "literal" | "route";
        value: string;
       } | null;
       channel?: {
        /** @enum {unknown} */
        type: "literal" | "channel";
        value: string;
       } | null;
      }[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "push-app";
       id: number;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       settings: {
        /** Format: uuid */
        application: string | null;
        urgent: boolean;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        expiration: ({
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | {
         /** @enum {string} */
         type: "date";
         value: {
          /** Format: date-time */
          date: string;
         };
        }) | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        culture: string;
       };
       task: {
        /** Format: uuid */
        id: string;
        name: string;
        description: string;
        segments: {
         selected: number[];
         excluded: number[];
        };
        scheduler: {
         /** @enum {unknown} */
         type: "asap" | "scheduled" | "cron";
         /** Format: uuid */
         id: string;
         name: string;
         segments: {
          selected: number[];
          excluded: number[];
         };
         /** Format: date-time */
         startDate?: string | null;
         minute?: string;
         hour?: string;
         dayOfMonth?: string;
         month?: string;
         dayOfWeek?: string;
         timeZone?: {
          id: string;
         };
         /** Format: date-time */
         lastRun: string | null;
         /** Format: date-time */
         nextRun: string | null;
        } | null;
       } | null;
       versions: {
        /** Format: uuid */
        id: string;
        name: string | null;
        master: boolean;
        condition: string | null;
        content: {
         title: string | null;
         body: string | null;
         icon: string | null;
         thumbnail: string | null;
         image: string | null;
         buttons: {
          title: string;
          redirection: {
           /** @enum {unknown} */
           type: "literal" | "route";
           value: string;
          } | null;
         }[];
        };
        redirection: {
         /** @enum {unknown} */
         type: "literal" | "route";
         value: string;
        } | null;
        channel: {
         /** @enum {unknown} */
         type: "literal" | "channel";
         value: string;
        } | null;
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "push-app";
       id: number;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       settings: {
        /** Format: uuid */
        application: string | null;
        urgent: boolean;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        expiration: ({
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | {
         /** @enum {string} */
         type: "date";
         value: {
          /** Format: date-time */
          date: string;
         };
        }) | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        culture: string;
       };
       task: {
        /** Format: uuid */
        id: string;
        name: string;
        description: string;
        segments: {
         selected: number[];
         excluded: number[];
        };
        scheduler: {
         /** @enum {unknown} */
         type: "asap" | "scheduled" | "cron";
         /** Format: uuid */
         id: string;
         name: string;
         segments: {
          selected: number[];
          excluded: number[];
         };
         /** Format: date-time */
         startDate?: string | null;
         minute?: string;
         hour?: string;
         dayOfMonth?: string;
         month?: string;
         dayOfWeek?: string;
         timeZone?: {
          id: string;
         };
         /** Format: date-time */
         lastRun: string | null;
         /** Format: date-time */
         nextRun: string | null;
        } | null;
       } | null;
       versions: {
        /** Format: uuid */
        id: string;
        name: string | null;
        master: boolean;
        condition: string | null;
        content: {
         title: string | null;
         body: string | null;
         icon: string | null;
         thumbnail: string | null;
         image: string | null;
         buttons: {
          title: string;
          redirection: {
           /** @enum {unknown} */
           type: "literal" | "route";
           value: string;
          } | null;
         }[];
        };
        redirection: {
         /** @enum {unknown} */
         type: "literal" | "route";
         value: string;
        } | null;
        channel: {
         /** @enum {unknown} */
         type: "literal" | "channel";
         value: string;
        } | null;
       }[];
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {string} */
      type?: "push-app";
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: unknown;
      stamp?: unknown;
      settings?: {
       application?: string | null;
       urgent?: boolean;
       purpose?: {
        type?: string;
       };
       expiration?: ({
        /** @enum {string} */
        type: "period";
        value: {
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
       } | {
        /** @enum {string} */
        type: "date";
        value: {
         date: string | number;
        } | (string | number);
       }) | null;
       mp?: {
        use?: boolean;
        increment?: boolean;
        /** Format: uuid */
        topic?: string | null;
        priority?: number;
        /** @enum {unknown} */
        onLimit?: "cancel" | "postpone";
        postponeHours?: number;
       };
       culture?: string | null;
      };
      task?: {
       id?: unknown;
       name?: string | null;
       description?: string | null;
       segments?: {
        selected?: number[];
        excluded?: number[];
       } | null;
       scheduler?: {
        /** @enum {unknown} */
        type?: "asap" | "scheduled" | "cron";
        id?: unknown;
        name?: string | null;
        segments?: {
         selected?: number[];
         excluded?: number[];
        } | null;
        startDate?: (string | number) | null;
        minute?: string;
        hour?: string;
        dayOfMonth?: string;
        month?: string;
        dayOfWeek?: string;
        timeZone?: {
         id: string;
        };
        lastRun?: unknown;
        nextRun?: unknown;
       } | null;
      } | null;
      versions?: {
       id?: string | null;
       name?: string | null;
       master?: boolean;
       condition?: string | null;
       content?: {
        title?: string | null;
        body?: string | null;
        icon?: string | null;
        thumbnail?: string | null;
        image?: string | null;
        buttons?: {
         title: string;
         redirection?: {
          /** @enum {unknown} */
          type: "literal" | "route";
          value: string;
         } | null;
        }[] | null;
       } | null;
       redirection?: {
        /** @enum {unknown} */
        type: "literal" | "route";
        value: string;
       } | null;
       channel?: {
        /** @enum {unknown} */
        type: "literal" | "channel";
        value: string;
       } | null;
      }[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "push-app";
       id: number;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       settings: {
        /** Format: uuid */
        application: string | null;
        urgent: boolean;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        expiration: ({
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | {
         /** @enum {string} */
         type: "date";
         value: {
          /** Format: date-time */
          date: string;
         };
        }) | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        culture: string;
       };
       task: {
        /** Format: uuid */
        id: string;
        name: string;
        description: string;
        segments: {
         selected: number[];
         excluded: number[];
        };
        scheduler: {
         /** @enum {unknown} */
         type: "asap" | "scheduled" | "cron";
         /** Format: uuid */
         id: string;
         name: string;
         segments: {
          selected: number[];
          excluded: number[];
         };
         /** Format: date-time */
         startDate?: string | null;
         minute?: string;
         hour?: string;
         dayOfMonth?: string;
         month?: string;
         dayOfWeek?: string;
         timeZone?: {
          id: string;
         };
         /** Format: date-time */
         lastRun: string | null;
         /** Format: date-time */
         nextRun: string | null;
        } | null;
       } | null;
       versions: {
        /** Format: uuid */
        id: string;
        name: string | null;
        master: boolean;
        condition: string | null;
        content: {
         title: string | null;
         body: string | null;
         icon: string | null;
         thumbnail: string | null;
         image: string | null;
         buttons: {
          title: string;
          redirection: {
           /** @enum {unknown} */
           type: "literal" | "route";
           value: string;
          } | null;
         }[];
        };
        redirection: {
         /** @enum {unknown} */
         type: "literal" | "route";
         value: string;
        } | null;
        channel: {
         /** @enum {unknown} */
         type: "literal" | "channel";
         value: string;
        } | null;
       }[];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/notifications/{id}/duplication": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "push-app";
       id: number;
       name: string;
       description: string | null;
       active: boolean;
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       settings: {
        /** Format: uuid */
        application: string | null;
        urgent: boolean;
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        expiration: ({
         /** @enum {string} */
         type: "period";
         value: {
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         };
        } | {
         /** @enum {string} */
         type: "date";
         value: {
          /** Format: date-time */
          date: string;
         };
        }) | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        culture: string;
       };
       task: {
        /** Format: uuid */
        id: string;
        name: string;
        description: string;
        segments: {
         selected: number[];
         excluded: number[];
        };
        scheduler: {
         /** @enum {unknown} */
         type: "asap" | "scheduled" | "cron";
         /** Format: uuid */
         id: string;
         name: string;
         segments: {
          selected: number[];
          excluded: number[];
         };
         /** Format: date-time */
         startDate?: string | null;
         minute?: string;
         hour?: string;
         dayOfMonth?: string;
         month?: string;
         dayOfWeek?: string;
         timeZone?: {
          id: string;
         };
         /** Format: date-time */
         lastRun: string | null;
         /** Format: date-time */
         nextRun: string | null;
        } | null;
       } | null;
       versions: {
        /** Format: uuid */
        id: string;
        name: string | null;
        master: boolean;
        condition: string | null;
        content: {
         title: string | null;
         body: string | null;
         icon: string | null;
         thumbnail: string | null;
         image: string | null;
         buttons: {
          title: string;
          redirection: {
           /** @enum {unknown} */
           type: "literal" | "route";
           value: string;
          } | null;
         }[];
        };
        redirection: {
         /** @enum {unknown} */
         type: "literal" | "route";
         value: string;
        } | null;
        channel: {
         /** @enum {unknown} */
         type: "literal" | "channel";
         value: string;
        } | null;
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/activation": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/notifications/{id}/render": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      title?: string | null;
      body?: string | null;
      icon?: string | null;
      thumbnail?: string | null;
      image?: string | null;
      buttons?: {
       title: string;
       redirection?: {
        /** @enum {unknown} */
        type: "literal" | "route";
        value: string;
       } | null;
      }[] | null;
      redirection?: {
       /** @enum {unknown} */
       type: "literal" | "route";
       value: string;
      } | null;
      channel?: {
       /** @enum {unknown} */
       type: "literal" | "channel";
       value: string;
      } | null;
      receiver?: ({
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      }) | null;
      recipient?: ({
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      }) | null;
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       meta: {
        notification: number;
        version: string;
        application: string | null;
        subscription: string | null;
        stamp: {
         time: number;
         id: string;
         thread: string;
         set: string;
        };
        channel: string | null;
        redirection: string | null;
       };
       render: {
        title: string;
        body: string;
        icon: string | null;
        thumbnail: string | null;
        image: string | null;
        buttons: {
         title: string;
         redirection: string | null;
        }[];
       };
       tracking: {
        radical: string;
        impression: string;
        redirection: string;
        dismiss: string;
        optout: {
         global: string;
         channel: string;
        };
       };
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/render/contact/{contact}": {
  get: {
   parameters: {
    path: {
     id: string;
     contact: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       meta: {
        notification: number;
        version: string;
        application: string | null;
        subscription: string | null;
        stamp: {
         time: number;
         id: string;
         thread: string;
         set: string;
        };
        channel: string | null;
        redirection: string | null;
       };
       render: {
        title: string;
        body: string;
        icon: string | null;
        thumbnail: string | null;
        image: string | null;
        buttons: {
         title: string;
         redirection: string | null;
        }[];
       };
       tracking: {
        radical: string;
        impression: string;
        redirection: string;
        dismiss: string;
        optout: {
         global: string;
         channel: string;
        };
       };
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/render/contact": {
  get: {
   parameters: {
    query?: {
     unicity?: string;
     hash?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       meta: {
        notification: number;
        version: string;
        application: string | null;
        subscription: string | null;
        stamp: {
         time: number;
         id: string;
         thread: string;
         set: string;
        };
        channel: string | null;
        redirection: string | null;
       };
       render: {
        title: string;
        body: string;
        icon: string | null;
        thumbnail: string | null;
        image: string | null;
        buttons: {
         title: string;
         redirection: string | null;
        }[];
       };
       tracking: {
        radical: string;
        impression: string;
        redirection: string;
        dismiss: string;
        optout: {
         global: string;
         channel: string;
        };
       };
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/versions/{version}/render": {
  post: {
   parameters: {
    path: {
     id: string;
     version: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      title?: string | null;
      body?: string | null;
      icon?: string | null;
      thumbnail?: string | null;
      image?: string | null;
      buttons?: {
       title: string;
       redirection?: {
        /** @enum {unknown} */
        type: "literal" | "route";
        value: string;
       } | null;
      }[] | null;
      redirection?: {
       /** @enum {unknown} */
       type: "literal" | "route";
       value: string;
      } | null;
      channel?: {
       /** @enum {unknown} */
       type: "literal" | "channel";
       value: string;
      } | null;
      receiver?: ({
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      }) | null;
      recipient?: ({
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      }) | null;
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       meta: {
        notification: number;
        version: string;
        application: string | null;
        subscription: string | null;
        stamp: {
         time: number;
         id: string;
         thread: string;
         set: string;
        };
        channel: string | null;
        redirection: string | null;
       };
       render: {
        title: string;
        body: string;
        icon: string | null;
        thumbnail: string | null;
        image: string | null;
        buttons: {
         title: string;
         redirection: string | null;
        }[];
       };
       tracking: {
        radical: string;
        impression: string;
        redirection: string;
        dismiss: string;
        optout: {
         global: string;
         channel: string;
        };
       };
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/versions/{version}/render/contact/{contact}": {
  get: {
   parameters: {
    path: {
     id: string;
     version: string;
     contact: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       meta: {
        notification: number;
        version: string;
        application: string | null;
        subscription: string | null;
        stamp: {
         time: number;
         id: string;
         thread: string;
         set: string;
        };
        channel: string | null;
        redirection: string | null;
       };
       render: {
        title: string;
        body: string;
        icon: string | null;
        thumbnail: string | null;
        image: string | null;
        buttons: {
         title: string;
         redirection: string | null;
        }[];
       };
       tracking: {
        radical: string;
        impression: string;
        redirection: string;
        dismiss: string;
        optout: {
         global: string;
         channel: string;
        };
       };
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/versions/{version}/render/contact": {
  get: {
   parameters: {
    query?: {
     unicity?: string;
     hash?: string;
    };
    path: {
     id: string;
     version: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       meta: {
        notification: number;
        version: string;
        application: string | null;
        subscription: string | null;
        stamp: {
         time: number;
         id: string;
         thread: string;
         set: string;
        };
        channel: string | null;
        redirection: string | null;
       };
       render: {
        title: string;
        body: string;
        icon: string | null;
        thumbnail: string | null;
        image: string | null;
        buttons: {
         title: string;
         redirection: string | null;
        }[];
       };
       tracking: {
        radical: string;
        impression: string;
        redirection: string;
        dismiss: string;
        optout: {
         global: string;
         channel: string;
        };
       };
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        pointer: string;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/execution": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      title?: string | null;
      body?: string | null;
      icon?: string | null;
      thumbnail?: string | null;
      image?: string | null;
      buttons?: {
       title: string;
       redirection?: {
        /** @enum {unknown} */
        type: "literal" | "route";
        value: string;
       } | null;
      }[] | null;
      redirection?: {
       /** @enum {unknown} */
       type: "literal" | "route";
       value: string;
      } | null;
      channel?: {
       /** @enum {unknown} */
       type: "literal" | "channel";
       value: string;
      } | null;
      recipient?: {
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      };
      receiver?: {
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      };
      version?: string | null;
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      expiration?: ({
       /** @enum {string} */
       type: "period";
       value: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
      } | {
       /** @enum {string} */
       type: "date";
       value: {
        date: string | number;
       } | (string | number);
      }) | null;
      urgent?: boolean | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "subscription";
        value: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/executions": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      title?: string | null;
      body?: string | null;
      icon?: string | null;
      thumbnail?: string | null;
      image?: string | null;
      buttons?: {
       title: string;
       redirection?: {
        /** @enum {unknown} */
        type: "literal" | "route";
        value: string;
       } | null;
      }[] | null;
      redirection?: {
       /** @enum {unknown} */
       type: "literal" | "route";
       value: string;
      } | null;
      channel?: {
       /** @enum {unknown} */
       type: "literal" | "channel";
       value: string;
      } | null;
      recipient?: {
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      };
      receiver?: {
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      };
      version?: string | null;
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      expiration?: ({
       /** @enum {string} */
       type: "period";
       value: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
      } | {
       /** @enum {string} */
       type: "date";
       value: {
        date: string | number;
       } | (string | number);
      }) | null;
      urgent?: boolean | null;
     }[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "subscription";
        value: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      })[];
     };
    };
   };
  };
 };
 "/notifications/{id}/test": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      title?: string | null;
      body?: string | null;
      icon?: string | null;
      thumbnail?: string | null;
      image?: string | null;
      buttons?: {
       title: string;
       redirection?: {
        /** @enum {unknown} */
        type: "literal" | "route";
        value: string;
       } | null;
      }[] | null;
      redirection?: {
       /** @enum {unknown} */
       type: "literal" | "route";
       value: string;
      } | null;
      channel?: {
       /** @enum {unknown} */
       type: "literal" | "channel";
       value: string;
      } | null;
      recipient: {
       /** @enum {string} */
       type: "segment";
       value: number;
      } | ({
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      });
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      expiration?: ({
       /** @enum {string} */
       type: "period";
       value: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
      } | {
       /** @enum {string} */
       type: "date";
       value: {
        date: string | number;
       } | (string | number);
      }) | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "subscription";
        value: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      })[];
     };
    };
   };
  };
 };
 "/notifications/{id}/versions/{version}/test": {
  post: {
   parameters: {
    path: {
     id: string;
     version: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      title?: string | null;
      body?: string | null;
      icon?: string | null;
      thumbnail?: string | null;
      image?: string | null;
      buttons?: {
       title: string;
       redirection?: {
        /** @enum {unknown} */
        type: "literal" | "route";
        value: string;
       } | null;
      }[] | null;
      redirection?: {
       /** @enum {unknown} */
       type: "literal" | "route";
       value: string;
      } | null;
      channel?: {
       /** @enum {unknown} */
       type: "literal" | "channel";
       value: string;
      } | null;
      recipient: {
       /** @enum {string} */
       type: "segment";
       value: number;
      } | ({
       /** @enum {string} */
       type: "contact";
       value: {
        /** @enum {string} */
        type: "id";
        value: string;
       } | {
        /** @enum {string} */
        type: "unicity";
        value: string[];
       } | {
        /** @enum {string} */
        type: "hash";
        value: string;
       } | {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity?: unknown;
        hash?: unknown;
       };
      } | {
       /** @enum {string} */
       type: "subscription";
       value: string;
      } | ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       id?: string | null;
       unicity?: (string | string[]) | null;
       hash?: string | null;
      });
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      expiration?: ({
       /** @enum {string} */
       type: "period";
       value: {
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
      } | {
       /** @enum {string} */
       type: "date";
       value: {
        date: string | number;
       } | (string | number);
      }) | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "subscription";
        value: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: unknown;
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      })[];
     };
    };
   };
  };
 };
 "/targets/{id}/notifications": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     startDate?: string;
     endDate?: string;
     sort?: "asc" | "desc";
     application?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       notification_key: number;
       target: string;
       libelle: string;
       /** Format: date-time */
       activation: string;
       redirection: string | null;
       dismiss: string | null;
       impression: string | null;
       optout: string | null;
       bounce: string | null;
       notification: number;
       /** Format: uuid */
       version: string;
       /** Format: uuid */
       application: string;
       /** Format: uuid */
       subscription: string;
       stamp: {
        time: number;
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        thread: string;
        /** Format: uuid */
        set: string;
       };
       /** Format: date-time */
       date: string;
       title: string | null;
       /** @enum {unknown} */
       state: "bounced" | "opened" | "dismissed" | "optout" | "shown" | "sent";
      }[];
     };
    };
   };
  };
 };
 "/settings/sending": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       culture: string;
       defaultFolder: number;
       testSubjectPrefix: string;
       testTextPrefix: string;
       testRequired: boolean;
       /** @enum {unknown} */
       unverifiedDomain: "substitute" | "refuse";
       stopMention: string | null;
       stopOnStandard: boolean;
       optInField: number | null;
       doubleOptInField: number | null;
       yesValues: string[];
       serviceIgnoresRedList: boolean;
       /** @enum {unknown} */
       inDoubt: "hold" | "send";
       attachmentHosts: string[];
       reportAddresses: string[];
       archiveDays: number;
       honeypotLink: boolean;
       openConsentField: number | null;
       profiles: {
        id: number;
        name: string;
        /** @enum {unknown} */
        channel: "email" | "sms";
        default: boolean;
        /** Format: email */
        reply: string | null;
        bounceDomain: string | null;
        trackingHost: string | null;
        sender: string | null;
        from: {
         prefix: string | null;
         domain: string | null;
         label: string | null;
        } | null;
       }[];
       domains: {
        domain: string;
        default: boolean;
        verified: boolean;
       }[];
       webAnalysers: {
        id: number;
        name: string;
        parameters: {
         [key: string]: string;
        };
       }[];
      };
     };
    };
   };
  };
  put: {
   requestBody: {
    content: {
     "application/json": {
      culture?: string;
      defaultFolder?: number;
      testSubjectPrefix?: string;
      testTextPrefix?: string;
      testRequired?: boolean;
      /** @enum {unknown} */
      unverifiedDomain?: "substitute" | "refuse";
      stopMention?: string | null;
      stopOnStandard?: boolean;
      optInField?: number | null;
      doubleOptInField?: number | null;
      yesValues?: string[];
      serviceIgnoresRedList?: boolean;
      /** @enum {unknown} */
      inDoubt?: "hold" | "send";
      attachmentHosts?: string[];
      reportAddresses?: string[];
      archiveDays?: number;
      honeypotLink?: boolean;
      openConsentField?: number | null;
      profiles?: {
       id?: number;
       name: string;
       /** @enum {unknown} */
       channel: "email" | "sms";
       default?: boolean;
       /** Format: email */
       reply?: string | null;
       bounceDomain?: string | null;
       trackingHost?: string | null;
       sender?: string | null;
       from?: {
        prefix?: string | null;
        domain?: string | null;
        label?: string | null;
       } | null;
      }[];
      domains?: unknown;
      webAnalysers?: {
       id?: number;
       name: string;
       parameters: {
        [key: string]: string;
       };
      }[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       culture: string;
       defaultFolder: number;
       testSubjectPrefix: string;
       testTextPrefix: string;
       testRequired: boolean;
       /** @enum {unknown} */
       unverifiedDomain: "substitute" | "refuse";
       stopMention: string | null;
       stopOnStandard: boolean;
       optInField: number | null;
       doubleOptInField: number | null;
       yesValues: string[];
       serviceIgnoresRedList: boolean;
       /** @enum {unknown} */
       inDoubt: "hold" | "send";
       attachmentHosts: string[];
       reportAddresses: string[];
       archiveDays: number;
       honeypotLink: boolean;
       openConsentField: number | null;
       profiles: {
        id: number;
        name: string;
        /** @enum {unknown} */
        channel: "email" | "sms";
        default: boolean;
        /** Format: email */
        reply: string | null;
        bounceDomain: string | null;
        trackingHost: string | null;
        sender: string | null;
        from: {
         prefix: string | null;
         domain: string | null;
         label: string | null;
        } | null;
       }[];
       domains: {
        domain: string;
        default: boolean;
        verified: boolean;
       }[];
       webAnalysers: {
        id: number;
        name: string;
        parameters: {
         [key: string]: string;
        };
       }[];
      };
     };
    };
   };
  };
 };
 "/settings/people": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       approval: boolean;
       requireSecondFactor: boolean;
       maskPersonalData: boolean;
      };
     };
    };
   };
  };
  put: {
   requestBody: {
    content: {
     "application/json": {
      approval?: boolean;
      requireSecondFactor?: boolean;
      maskPersonalData?: boolean;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       approval: boolean;
       requireSecondFactor: boolean;
       maskPersonalData: boolean;
      };
     };
    };
   };
  };
 };
 "/settings/sending/test": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      channel: "email" | "sms";
      to?: string | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       channel: "email" | "sms";
       to: string;
       from: string;
       /** @enum {unknown} */
       result: "accepted" | "refused" | "deferred" | "doubtful";
       detail: string;
       gateway: {
        name: string;
        kind: string;
       };
       captured: string | null;
      };
     };
    };
   };
  };
 };
 "/domains": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       name: string;
       default: boolean;
       verified: boolean;
       /** Format: date-time */
       verifiedDate: string | null;
       /** Format: date-time */
       checkedDate: string | null;
       /** Format: date-time */
       creationDate: string;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      name: string;
      default?: boolean;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       name: string;
       default: boolean;
       verified: boolean;
       /** Format: date-time */
       verifiedDate: string | null;
       /** Format: date-time */
       checkedDate: string | null;
       /** Format: date-time */
       creationDate: string;
       records: {
        /** @enum {unknown} */
        purpose: "SPF" | "DKIM" | "DMARC" | "MX" | "tracking";
        /** @enum {unknown} */
        type: "TXT" | "MX" | "CNAME" | "A";
        name: string;
        value: string | null;
        line: string | null;
        /** @enum {unknown} */
        state: "found" | "missing" | "unchecked";
        found: string[];
        /** Format: date-time */
        checkedDate: string | null;
        key: {
         selector: string;
         /** @enum {unknown} */
         algorithm: "rsa-sha256" | "ed25519-sha256";
         /** @enum {unknown} */
         state: "waiting" | "signing" | "retired";
         /** Format: date-time */
         removableDate: string | null;
        } | null;
       }[];
      };
     };
    };
   };
  };
 };
 "/domains/{name}": {
  get: {
   parameters: {
    path: {
     name: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       name: string;
       default: boolean;
       verified: boolean;
       /** Format: date-time */
       verifiedDate: string | null;
       /** Format: date-time */
       checkedDate: string | null;
       /** Format: date-time */
       creationDate: string;
       records: {
        /** @enum {unknown} */
        purpose: "SPF" | "DKIM" | "DMARC" | "MX" | "tracking";
        /** @enum {unknown} */
        type: "TXT" | "MX" | "CNAME" | "A";
        name: string;
        value: string | null;
        line: string | null;
        /** @enum {unknown} */
        state: "found" | "missing" | "unchecked";
        found: string[];
        /** Format: date-time */
        checkedDate: string | null;
        key: {
         selector: string;
         /** @enum {unknown} */
         algorithm: "rsa-sha256" | "ed25519-sha256";
         /** @enum {unknown} */
         state: "waiting" | "signing" | "retired";
         /** Format: date-time */
         removableDate: string | null;
        } | null;
       }[];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     name: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/domains/{name}/check": {
  post: {
   parameters: {
    path: {
     name: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       name: string;
       default: boolean;
       verified: boolean;
       /** Format: date-time */
       verifiedDate: string | null;
       /** Format: date-time */
       checkedDate: string | null;
       /** Format: date-time */
       creationDate: string;
       records: {
        /** @enum {unknown} */
        purpose: "SPF" | "DKIM" | "DMARC" | "MX" | "tracking";
        /** @enum {unknown} */
        type: "TXT" | "MX" | "CNAME" | "A";
        name: string;
        value: string | null;
        line: string | null;
        /** @enum {unknown} */
        state: "found" | "missing" | "unchecked";
        found: string[];
        /** Format: date-time */
        checkedDate: string | null;
        key: {
         selector: string;
         /** @enum {unknown} */
         algorithm: "rsa-sha256" | "ed25519-sha256";
         /** @enum {unknown} */
         state: "waiting" | "signing" | "retired";
         /** Format: date-time */
         removableDate: string | null;
        } | null;
       }[];
      };
     };
    };
   };
  };
 };
 "/gateways": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       id: number | null;
       /** @enum {unknown} */
       scope: "account" | "installation";
       /** @enum {unknown} */
       channel: "email" | "sms" | "rcs" | "notification";
       name: string;
       kind: string;
       settings: {
        [key: string]: unknown;
       } | null;
       secrets: string[];
       carries: boolean;
       /** Format: date-time */
       creationDate: string | null;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      kind: string;
      channel?: ("email" | "sms" | "rcs" | "notification") | null;
      name?: string | null;
      scope?: ("account" | "installation") | null;
      settings?: {
       [key: string]: unknown;
      } | null;
      secrets?: {
       [key: string]: string | null;
      } | string[] | null;
      id?: unknown;
      carries?: unknown;
      creationDate?: unknown;
      callback?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number | null;
       /** @enum {unknown} */
       scope: "account" | "installation";
       /** @enum {unknown} */
       channel: "email" | "sms" | "rcs" | "notification";
       name: string;
       kind: string;
       settings: {
        [key: string]: unknown;
       } | null;
       secrets: string[];
       carries: boolean;
       /** Format: date-time */
       creationDate: string | null;
       callback: string | null;
      };
     };
    };
   };
  };
 };
 "/gateways/kinds": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       kind: string;
       channels: ("email" | "sms" | "rcs" | "notification")[];
       settings: {
        [key: string]: unknown;
       } | null;
       secrets: {
        [key: string]: unknown;
       } | null;
       callbacks: boolean;
      }[];
     };
    };
   };
  };
 };
 "/gateways/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number | null;
       /** @enum {unknown} */
       scope: "account" | "installation";
       /** @enum {unknown} */
       channel: "email" | "sms" | "rcs" | "notification";
       name: string;
       kind: string;
       settings: {
        [key: string]: unknown;
       } | null;
       secrets: string[];
       carries: boolean;
       /** Format: date-time */
       creationDate: string | null;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      kind?: string;
      channel?: string;
      scope?: string;
      name?: string;
      settings?: {
       [key: string]: unknown;
      } | null;
      secrets?: {
       [key: string]: string | null;
      } | string[] | null;
      id?: unknown;
      carries?: unknown;
      creationDate?: unknown;
      callback?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number | null;
       /** @enum {unknown} */
       scope: "account" | "installation";
       /** @enum {unknown} */
       channel: "email" | "sms" | "rcs" | "notification";
       name: string;
       kind: string;
       settings: {
        [key: string]: unknown;
       } | null;
       secrets: string[];
       carries: boolean;
       /** Format: date-time */
       creationDate: string | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/gateways/{id}/test": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       ok: boolean;
       detail: string;
       durationMs: number;
      };
     };
    };
   };
  };
 };
 "/settings/sending/queues": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       destination: string | null;
       /** @enum {unknown} */
       state: "open" | "slow" | "suspended" | "held";
       lanes: {
        /** @enum {unknown} */
        lane: "urgent" | "transactional" | "bulk";
        waiting: number;
        postponed: number;
        /** Format: date-time */
        oldest: string;
       }[];
       rate: number | null;
       connections: number | null;
       suspendedUntil: string | null;
       heldSince: string | null;
       lastRefusal: string | null;
       lastRefusalDate: string | null;
      }[];
     };
    };
   };
  };
 };
 "/settings/sending/queues/{destination}": {
  post: {
   parameters: {
    path: {
     destination: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      operation: "hold" | "release" | "flush";
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       destination: string | null;
       /** @enum {unknown} */
       state: "open" | "slow" | "suspended" | "held";
       lanes: {
        /** @enum {unknown} */
        lane: "urgent" | "transactional" | "bulk";
        waiting: number;
        postponed: number;
        /** Format: date-time */
        oldest: string;
       }[];
       rate: number | null;
       connections: number | null;
       suspendedUntil: string | null;
       heldSince: string | null;
       lastRefusal: string | null;
       lastRefusalDate: string | null;
      };
     };
    };
   };
  };
 };
 "/deliverability": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: date-time */
       start: string;
       /** Format: date-time */
       end: string;
       destinations: {
        destination: string | null;
        domains: string[];
        sent: number;
        refused: number;
        refusals: {
         pattern: string;
         subject: string;
         /** @enum {unknown} */
         verdict: "hard" | "soft";
         count: number;
        }[];
        bounces: {
         hard: number;
         soft: number;
        };
        complaints: number;
        bounceRate: number | null;
        complaintRate: number | null;
       }[];
       warmUps: {
        domain: string;
        startDate: string;
        day: number;
        allowance: number | null;
        schedule: number[];
        sent: {
         destination: string;
         count: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/designs": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       category: string | null;
       /** @enum {unknown} */
       type: "design" | "rows";
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      category?: string | null;
      /** @enum {unknown} */
      type?: "design" | "rows";
      design?: components["schemas"]["Design"];
      creationDate?: unknown;
      updateDate?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       category: string | null;
       /** @enum {unknown} */
       type: "design" | "rows";
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       design: components["schemas"]["Design"];
      };
     };
    };
   };
  };
 };
 "/designs/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       category: string | null;
       /** @enum {unknown} */
       type: "design" | "rows";
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       design: components["schemas"]["Design"];
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      category?: string | null;
      /** @enum {unknown} */
      type?: "design" | "rows";
      design?: components["schemas"]["Design"];
      creationDate?: unknown;
      updateDate?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       category: string | null;
       /** @enum {unknown} */
       type: "design" | "rows";
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       design: components["schemas"]["Design"];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/designs/{id}/links": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       type: string;
       id: string | number;
       name: string;
      }[];
     };
    };
   };
  };
 };
 "/designs/library": {
  get: {
   parameters: {
    query?: {
     language?: "en" | "fr";
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string;
       category: string;
       /** @enum {unknown} */
       language: "en" | "fr";
       design: components["schemas"]["Design"];
      }[];
     };
    };
   };
  };
 };
 "/designs/render": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      design?: components["schemas"]["Design"];
      mjml?: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       html: string;
       text: string;
       warnings: {
        pointer: string;
        detail: string;
       }[];
      };
     };
    };
   };
  };
 };
 "/media": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     q?: string;
     type?: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf" | "image";
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       /** @enum {unknown} */
       type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf";
       octets: number;
       width: number | null;
       height: number | null;
       address: string;
       sizes: {
        width: number;
        height: number;
        octets: number;
        address: string;
       }[];
       /** Format: date-time */
       creationDate: string;
      }[];
     };
    };
   };
  };
  post: {
   parameters: {
    query?: {
     name?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       /** @enum {unknown} */
       type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf";
       octets: number;
       width: number | null;
       height: number | null;
       address: string;
       sizes: {
        width: number;
        height: number;
        octets: number;
        address: string;
       }[];
       /** Format: date-time */
       creationDate: string;
      };
     };
    };
   };
  };
 };
 "/media/{id}/links": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       type: string;
       id: string | number;
       name: string;
      }[];
     };
    };
   };
  };
 };
 "/media/{id}": {
  delete: {
   parameters: {
    query?: {
     force?: boolean;
    };
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/settings/sending/held": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     action?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       message: string;
       action: string | number;
       contact: string | null;
       /** Format: date-time */
       since: string;
       why: string | null;
      }[];
     };
    };
   };
  };
 };
 "/settings/sending/held/release": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      decision: "send" | "drop";
      action?: string | number;
      messages?: string[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       messages: number;
      };
     };
    };
   };
  };
 };
 "/actions/{id}/report": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       audience: number;
       sent: number;
       refused: number;
       held: number;
       cancelled: {
        type: string;
        count: number;
       }[];
       postponed: number;
       deferred: number;
       waiting: number;
       holdout: number;
       delivered: number | null;
       opens: {
        human: number;
        machine: number;
        contacts: number;
       };
       clicks: {
        human: number;
        machine: number;
        contacts: number;
       };
       unsubscribes: number;
       complaints: number;
       replies: number;
       bounces: {
        destination: string | null;
        /** @enum {unknown} */
        verdict: "hard" | "soft";
        cause: string;
        count: number;
       }[];
       links: {
        id: number;
        address: string | null;
        clicks: number;
        contacts: number;
       }[];
       devices: {
        type: string;
        os: string | null;
        client: string | null;
        opens: number;
        clicks: number;
       }[];
       series: {
        /** Format: date-time */
        at: string;
        sends: number;
        opens: number;
        clicks: number;
       }[];
       usual: {
        openRate: number | null;
        clickRate: number | null;
        unsubscribeRate: number | null;
        complaintRate: number | null;
       } | null;
       /** Format: date-time */
       at: string;
      };
     };
    };
   };
  };
 };
 "/actions/{id}/report/contacts": {
  get: {
   parameters: {
    query: {
     of: string;
     start?: string;
     end?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string | null;
       address: string | null;
       stamp: string | null;
       /** Format: date-time */
       at: string;
       detail: string | null;
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/report": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       audience: number;
       sent: number;
       refused: number;
       held: number;
       cancelled: {
        type: string;
        count: number;
       }[];
       postponed: number;
       deferred: number;
       waiting: number;
       holdout: number;
       delivered: number | null;
       opens: {
        human: number;
        machine: number;
        contacts: number;
       };
       clicks: {
        human: number;
        machine: number;
        contacts: number;
       };
       unsubscribes: number;
       complaints: number;
       replies: number;
       bounces: {
        destination: string | null;
        /** @enum {unknown} */
        verdict: "hard" | "soft";
        cause: string;
        count: number;
       }[];
       links: {
        id: number;
        address: string | null;
        clicks: number;
        contacts: number;
       }[];
       devices: {
        type: string;
        os: string | null;
        client: string | null;
        opens: number;
        clicks: number;
       }[];
       series: {
        /** Format: date-time */
        at: string;
        sends: number;
        opens: number;
        clicks: number;
       }[];
       usual: {
        openRate: number | null;
        clickRate: number | null;
        unsubscribeRate: number | null;
        complaintRate: number | null;
       } | null;
       /** Format: date-time */
       at: string;
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/report/contacts": {
  get: {
   parameters: {
    query: {
     of: string;
     start?: string;
     end?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string | null;
       address: string | null;
       stamp: string | null;
       /** Format: date-time */
       at: string;
       detail: string | null;
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/report": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       audience: number;
       sent: number;
       refused: number;
       held: number;
       cancelled: {
        type: string;
        count: number;
       }[];
       postponed: number;
       deferred: number;
       waiting: number;
       holdout: number;
       delivered: number | null;
       opens: {
        human: number;
        machine: number;
        contacts: number;
       };
       clicks: {
        human: number;
        machine: number;
        contacts: number;
       };
       unsubscribes: number;
       complaints: number;
       replies: number;
       bounces: {
        destination: string | null;
        /** @enum {unknown} */
        verdict: "hard" | "soft";
        cause: string;
        count: number;
       }[];
       links: {
        id: number;
        address: string | null;
        clicks: number;
        contacts: number;
       }[];
       devices: {
        type: string;
        os: string | null;
        client: string | null;
        opens: number;
        clicks: number;
       }[];
       series: {
        /** Format: date-time */
        at: string;
        sends: number;
        opens: number;
        clicks: number;
       }[];
       usual: {
        openRate: number | null;
        clickRate: number | null;
        unsubscribeRate: number | null;
        complaintRate: number | null;
       } | null;
       /** Format: date-time */
       at: string;
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/report/contacts": {
  get: {
   parameters: {
    query: {
     of: string;
     start?: string;
     end?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string | null;
       address: string | null;
       stamp: string | null;
       /** Format: date-time */
       at: string;
       detail: string | null;
      }[];
     };
    };
   };
  };
 };
 "/actions": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     creation_start?: string;
     creation_end?: string;
     category?: number;
     campaign?: string;
     name?: string;
     report?: boolean;
     state?: string;
     sort?: string;
     type?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign";
       id: string;
       state: number;
       name: string;
       /** Format: date-time */
       creationDate: string;
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
       informations: {
        folder: number;
        category: number;
        state: number;
       };
       settings: {
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
       };
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        startDate: string | null;
        endDate: string | null;
       };
       report?: {
        audience: number | null;
        sent: number;
        refused: number | null;
        held: number | null;
        cancelled: number | null;
        pending: number | null;
        opens: {
         human: number;
         machine: number;
         contacts: number;
        };
        clicks: {
         human: number;
         machine: number;
         contacts: number;
        };
        unsubscribes: number;
        complaints: number;
        replies: number;
        bounces: number;
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      type?: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign";
      id?: unknown;
      state?: unknown;
      name?: string;
      description?: string | null;
      creationDate?: unknown;
      updateDate?: unknown;
      information?: unknown;
      informations?: {
       folder?: number | null;
       category?: number | null;
       state?: unknown;
       paused?: unknown;
       lastValidation?: unknown;
      };
      settings?: {
       purpose?: {
        type?: string;
       };
       /** @enum {unknown} */
       consent?: 0 | 1 | 2;
       priority?: boolean;
       environment?: {
        [key: string]: unknown;
       };
       field?: number;
       sendingProfile?: number | null;
       mp?: {
        use?: boolean;
        increment?: boolean;
        /** Format: uuid */
        topic?: string | null;
        priority?: number;
        /** @enum {unknown} */
        onLimit?: "cancel" | "postpone";
        postponeHours?: number;
       };
       webAnalyser?: number | null;
       /** @enum {unknown} */
       editionMode?: 0 | 1 | 2;
       /** @enum {unknown} */
       contentFormat?: 1 | 2 | 3;
       importance?: boolean;
       useFormLinkSSL?: boolean;
       performance?: {
        openingRate?: number;
        clickRate?: number;
        unsubscribedRate?: number;
        unsubscribeRate?: number;
       };
       archive?: boolean;
       /** @enum {unknown} */
       smsFormat?: 1 | 2 | 3;
       /** @enum {unknown} */
       smsType?: 1 | 2;
       countries?: string[];
       sender?: string | null;
       templating?: {
        /** @enum {unknown} */
        version?: "2" | "4" | "4.1" | 2 | 4 | 4.1;
       };
       culture?: string | null;
      };
      content?: {
       headers?: {
        from?: {
         prefix?: string | null;
         domain?: string | null;
         label?: string | null;
        };
        /** Format: email */
        reply?: string | null;
       };
       subject?: string | null;
       html?: string | null;
       text?: string | null;
       amp?: string | null;
       textContent?: string | null;
       design?: components["schemas"]["Design"];
      };
      scheduler?: {
       /** @enum {unknown} */
       type?: "asap" | "scheduled" | "timeZoneSchedule";
       speed?: number;
       timeZoneField?: number | null;
       startDate?: (string | number) | null;
       endDate?: (string | number) | null;
       segments?: {
        selected?: number[];
        excluded?: number[];
       };
      } | null;
      monitor?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign";
       id: string;
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
        lastValidation: {
         /** @enum {unknown} */
         phase: "test" | "production";
         /** @enum {unknown} */
         result: "running" | "passed" | "failed" | "repair" | "stopped";
         /** Format: date-time */
         startedAt: string;
         /** Format: date-time */
         endedAt: string | null;
         recipients: number;
         sent: number;
         refused: number;
         comments: string | null;
         errors: {
          type: string;
          message: string;
          part: string | null;
          position: {
           line: number;
           column: number;
          } | null;
         }[];
         findings: {
          type: string;
          message: string;
          part: string | null;
          position: {
           line: number;
           column: number;
          } | null;
         }[];
        } | null;
       };
       settings: {
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        environment: {
         [key: string]: unknown;
        };
        field: number;
        sendingProfile: number | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        webAnalyser: number | null;
        culture: string;
        /** @enum {unknown} */
        editionMode?: 0 | 1 | 2;
        /** @enum {unknown} */
        contentFormat?: 1 | 2 | 3;
        importance?: boolean;
        useFormLinkSSL?: boolean;
        performance?: {
         openingRate: number;
         clickRate: number;
         unsubscribedRate: number;
        };
        archive?: boolean;
        /** @enum {unknown} */
        smsFormat?: 1 | 2 | 3;
        /** @enum {unknown} */
        smsType?: 1 | 2;
        countries?: string[];
        sender?: string | null;
       };
       content: {
        headers?: {
         from: {
          prefix?: string | null;
          domain?: string | null;
          label?: string | null;
         };
         reply: string | null;
        };
        subject?: string | null;
        html?: string | null;
        text?: string | null;
        amp?: string | null;
        textContent?: string | null;
        design?: components["schemas"]["Design"];
       };
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
 };
 "/actions/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign";
       id: string;
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
        lastValidation: {
         /** @enum {unknown} */
         phase: "test" | "production";
         /** @enum {unknown} */
         result: "running" | "passed" | "failed" | "repair" | "stopped";
         /** Format: date-time */
         startedAt: string;
         /** Format: date-time */
         endedAt: string | null;
         recipients: number;
         sent: number;
         refused: number;
         comments: string | null;
         errors: {
          type: string;
          message: string;
          part: string | null;
          position: {
           line: number;
           column: number;
          } | null;
         }[];
         findings: {
          type: string;
          message: string;
          part: string | null;
          position: {
           line: number;
           column: number;
          } | null;
         }[];
        } | null;
       };
       settings: {
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        environment: {
         [key: string]: unknown;
        };
        field: number;
        sendingProfile: number | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        webAnalyser: number | null;
        culture: string;
        /** @enum {unknown} */
        editionMode?: 0 | 1 | 2;
        /** @enum {unknown} */
        contentFormat?: 1 | 2 | 3;
        importance?: boolean;
        useFormLinkSSL?: boolean;
        performance?: {
         openingRate: number;
         clickRate: number;
         unsubscribedRate: number;
        };
        archive?: boolean;
        /** @enum {unknown} */
        smsFormat?: 1 | 2 | 3;
        /** @enum {unknown} */
        smsType?: 1 | 2;
        countries?: string[];
        sender?: string | null;
       };
       content: {
        headers?: {
         from: {
          prefix?: string | null;
          domain?: string | null;
          label?: string | null;
         };
         reply: string | null;
        };
        subject?: string | null;
        html?: string | null;
        text?: string | null;
        amp?: string | null;
        textContent?: string | null;
        design?: components["schemas"]["Design"];
       };
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      type?: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign";
      id?: unknown;
      state?: unknown;
      name?: string;
      description?: string | null;
      creationDate?: unknown;
      updateDate?: unknown;
      information?: unknown;
      informations?: {
       folder?: number | null;
       category?: number | null;
       state?: unknown;
       paused?: unknown;
       lastValidation?: unknown;
      };
      settings?: {
       purpose?: {
        type?: string;
       };
       /** @enum {unknown} */
       consent?: 0 | 1 | 2;
       priority?: boolean;
       environment?: {
        [key: string]: unknown;
       };
       field?: number;
       sendingProfile?: number | null;
       mp?: {
        use?: boolean;
        increment?: boolean;
        /** Format: uuid */
        topic?: string | null;
        priority?: number;
        /** @enum {unknown} */
        onLimit?: "cancel" | "postpone";
        postponeHours?: number;
       };
       webAnalyser?: number | null;
       /** @enum {unknown} */
       editionMode?: 0 | 1 | 2;
       /** @enum {unknown} */
       contentFormat?: 1 | 2 | 3;
       importance?: boolean;
       useFormLinkSSL?: boolean;
       performance?: {
        openingRate?: number;
        clickRate?: number;
        unsubscribedRate?: number;
        unsubscribeRate?: number;
       };
       archive?: boolean;
       /** @enum {unknown} */
       smsFormat?: 1 | 2 | 3;
       /** @enum {unknown} */
       smsType?: 1 | 2;
       countries?: string[];
       sender?: string | null;
       templating?: {
        /** @enum {unknown} */
        version?: "2" | "4" | "4.1" | 2 | 4 | 4.1;
       };
       culture?: string | null;
      };
      content?: {
       headers?: {
        from?: {
         prefix?: string | null;
         domain?: string | null;
         label?: string | null;
        };
        /** Format: email */
        reply?: string | null;
       };
       subject?: string | null;
       html?: string | null;
       text?: string | null;
       amp?: string | null;
       textContent?: string | null;
       design?: components["schemas"]["Design"];
      };
      scheduler?: {
       /** @enum {unknown} */
       type?: "asap" | "scheduled" | "timeZoneSchedule";
       speed?: number;
       timeZoneField?: number | null;
       startDate?: (string | number) | null;
       endDate?: (string | number) | null;
       segments?: {
        selected?: number[];
        excluded?: number[];
       };
      } | null;
      monitor?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign";
       id: string;
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
        lastValidation: {
         /** @enum {unknown} */
         phase: "test" | "production";
         /** @enum {unknown} */
         result: "running" | "passed" | "failed" | "repair" | "stopped";
         /** Format: date-time */
         startedAt: string;
         /** Format: date-time */
         endedAt: string | null;
         recipients: number;
         sent: number;
         refused: number;
         comments: string | null;
         errors: {
          type: string;
          message: string;
          part: string | null;
          position: {
           line: number;
           column: number;
          } | null;
         }[];
         findings: {
          type: string;
          message: string;
          part: string | null;
          position: {
           line: number;
           column: number;
          } | null;
         }[];
        } | null;
       };
       settings: {
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        environment: {
         [key: string]: unknown;
        };
        field: number;
        sendingProfile: number | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        webAnalyser: number | null;
        culture: string;
        /** @enum {unknown} */
        editionMode?: 0 | 1 | 2;
        /** @enum {unknown} */
        contentFormat?: 1 | 2 | 3;
        importance?: boolean;
        useFormLinkSSL?: boolean;
        performance?: {
         openingRate: number;
         clickRate: number;
         unsubscribedRate: number;
        };
        archive?: boolean;
        /** @enum {unknown} */
        smsFormat?: 1 | 2 | 3;
        /** @enum {unknown} */
        smsType?: 1 | 2;
        countries?: string[];
        sender?: string | null;
       };
       content: {
        headers?: {
         from: {
          prefix?: string | null;
          domain?: string | null;
          label?: string | null;
         };
         reply: string | null;
        };
        subject?: string | null;
        html?: string | null;
        text?: string | null;
        amp?: string | null;
        textContent?: string | null;
        design?: components["schemas"]["Design"];
       };
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/actions/{id}/duplication": {
  post: {
   parameters: {
    query?: {
     type?: number;
     folder?: number;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign";
       id: string;
       state: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       informations: {
        folder: number;
        category: number;
        state: number;
        paused: boolean;
        lastValidation: {
         /** @enum {unknown} */
         phase: "test" | "production";
         /** @enum {unknown} */
         result: "running" | "passed" | "failed" | "repair" | "stopped";
         /** Format: date-time */
         startedAt: string;
         /** Format: date-time */
         endedAt: string | null;
         recipients: number;
         sent: number;
         refused: number;
         comments: string | null;
         errors: {
          type: string;
          message: string;
          part: string | null;
          position: {
           line: number;
           column: number;
          } | null;
         }[];
         findings: {
          type: string;
          message: string;
          part: string | null;
          position: {
           line: number;
           column: number;
          } | null;
         }[];
        } | null;
       };
       settings: {
        templating: {
         /** @enum {unknown} */
         version: "2" | "4" | "4.1";
        };
        purpose: {
         /** @enum {unknown} */
         type: "marketing" | "service";
        };
        /** @enum {unknown} */
        consent: 0 | 1 | 2;
        priority: boolean;
        environment: {
         [key: string]: unknown;
        };
        field: number;
        sendingProfile: number | null;
        mp: {
         use: boolean;
         increment: boolean;
         /** Format: uuid */
         topic: string | null;
         priority: number;
         /** @enum {unknown} */
         onLimit: "cancel" | "postpone";
         postponeHours: number;
        };
        webAnalyser: number | null;
        culture: string;
        /** @enum {unknown} */
        editionMode?: 0 | 1 | 2;
        /** @enum {unknown} */
        contentFormat?: 1 | 2 | 3;
        importance?: boolean;
        useFormLinkSSL?: boolean;
        performance?: {
         openingRate: number;
         clickRate: number;
         unsubscribedRate: number;
        };
        archive?: boolean;
        /** @enum {unknown} */
        smsFormat?: 1 | 2 | 3;
        /** @enum {unknown} */
        smsType?: 1 | 2;
        countries?: string[];
        sender?: string | null;
       };
       content: {
        headers?: {
         from: {
          prefix?: string | null;
          domain?: string | null;
          label?: string | null;
         };
         reply: string | null;
        };
        subject?: string | null;
        html?: string | null;
        text?: string | null;
        amp?: string | null;
        textContent?: string | null;
        design?: components["schemas"]["Design"];
       };
       scheduler?: {
        /** @enum {unknown} */
        type: "asap" | "scheduled" | "timeZoneSchedule";
        speed: number;
        timeZoneField: number | null;
        startDate: string | null;
        endDate: string | null;
        segments: {
         selected: number[];
         excluded: number[];
        };
       };
       monitor?: {
        recipients: number;
        sent: number;
        cancelled: number;
        refused: number;
        held: number;
        pending: number;
        postponed: number;
        deferred: number;
        started: {
         /** Format: date-time */
         at: string | null;
        };
        lastSent: {
         /** Format: date-time */
         at: string | null;
        };
       } | null;
      };
     };
    };
   };
  };
 };
 "/actions/{id}/validation": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      fortest?: boolean | null;
      testSegments?: number[] | null;
      mediaForTest?: string | null;
      textandHtml?: boolean | null;
      campaignAnalyser?: boolean | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      comments?: string | null;
     } | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/actions/{id}/pause": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/actions/{id}/execution": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      receiver?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      blocks?: {
       [key: string]: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      headers?: {
       from?: {
        prefix?: string | null;
        domain?: string | null;
        label?: string | null;
       } | null;
       /** Format: email */
       reply?: string | null;
      } | null;
      subject?: string | null;
      content?: {
       /** @enum {unknown} */
       type?: "inline" | "template";
       html?: string | null;
       text?: string | null;
       amp?: string | null;
      } | null;
      attachments?: {
       name: string;
       mime: string;
       data: {
        /** @enum {unknown} */
        type: "base64" | "url";
        value: string;
       };
      }[] | null;
      copies?: ((({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       /** @enum {string} */
       type: "address";
       value: string;
      }) & {
       /** @enum {unknown} */
       as?: "cc" | "bcc";
      })[] | null;
      urgent?: boolean | null;
      important?: boolean | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "attachment";
        name: string | null;
        message: string;
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/actions/{id}/executions": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      receiver?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      blocks?: {
       [key: string]: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      headers?: {
       from?: {
        prefix?: string | null;
        domain?: string | null;
        label?: string | null;
       } | null;
       /** Format: email */
       reply?: string | null;
      } | null;
      subject?: string | null;
      content?: {
       /** @enum {unknown} */
       type?: "inline" | "template";
       html?: string | null;
       text?: string | null;
       amp?: string | null;
      } | null;
      attachments?: {
       name: string;
       mime: string;
       data: {
        /** @enum {unknown} */
        type: "base64" | "url";
        value: string;
       };
      }[] | null;
      copies?: ((({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | {
       /** @enum {string} */
       type: "address";
       value: string;
      }) & {
       /** @enum {unknown} */
       as?: "cc" | "bcc";
      })[] | null;
      urgent?: boolean | null;
      important?: boolean | null;
     }[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "success";
       id: string;
       recipient: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "attachment";
        name: string | null;
        message: string;
       } | {
        /** @enum {string} */
        type: "data";
        message: string;
       };
      })[];
     };
    };
   };
  };
 };
 "/actions/{id}/render": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      receiver?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      blocks?: {
       [key: string]: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      headers?: {
       from?: {
        prefix?: string | null;
        domain?: string | null;
        label?: string | null;
       } | null;
       /** Format: email */
       reply?: string | null;
      } | null;
      subject?: string | null;
      content?: {
       /** @enum {unknown} */
       type?: "inline" | "template";
       html?: string | null;
       text?: string | null;
       amp?: string | null;
      } | null;
      context?: {
       id?: string | null;
       recipient?: string | null;
       render?: (0 | 1 | 2 | 3) | null;
       display?: number | null;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       recipient: string;
       sender: {
        bounce: string;
        label: string | null;
        reply: string | null;
        value: string;
       };
       subject: string;
       html: string;
       text: string;
       amp: string;
       headers: {
        [key: string]: string;
       };
      } | {
       /** @enum {string} */
       type: "success";
       recipient: string;
       sender: string;
       text: string;
       /** @enum {unknown} */
       encoding: "gsm7" | "ucs2";
       segments: number;
       length: number;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "message not found";
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        position: {
         part: string;
         line: number;
         column: number;
        } | null;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      };
     };
    };
   };
  };
 };
 "/actions/{id}/renders": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      receiver?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      blocks?: {
       [key: string]: unknown;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      headers?: {
       from?: {
        prefix?: string | null;
        domain?: string | null;
        label?: string | null;
       } | null;
       /** Format: email */
       reply?: string | null;
      } | null;
      subject?: string | null;
      content?: {
       /** @enum {unknown} */
       type?: "inline" | "template";
       html?: string | null;
       text?: string | null;
       amp?: string | null;
      } | null;
      context?: {
       id?: string | null;
       recipient?: string | null;
       render?: (0 | 1 | 2 | 3) | null;
       display?: number | null;
      } | null;
     }[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "success";
       recipient: string;
       sender: {
        bounce: string;
        label: string | null;
        reply: string | null;
        value: string;
       };
       subject: string;
       html: string;
       text: string;
       amp: string;
       headers: {
        [key: string]: string;
       };
      } | {
       /** @enum {string} */
       type: "success";
       recipient: string;
       sender: string;
       text: string;
       /** @enum {unknown} */
       encoding: "gsm7" | "ucs2";
       segments: number;
       length: number;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        recipient: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "related not found";
        related: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "message not found";
       } | {
        /** @enum {string} */
        type: "render";
        message: string;
        position: {
         part: string;
         line: number;
         column: number;
        } | null;
       } | {
        /** @enum {string} */
        type: "cancelled";
        message: string;
       };
      })[];
     };
    };
   };
  };
 };
 "/actions/{id}/render/links": {
  /** @deprecated */
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      recipient?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      receiver?: {
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      };
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      context?: {
       id?: string | null;
       recipient?: string | null;
       render?: (0 | 1 | 2 | 3) | null;
       display?: number | null;
      } | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      links: ({
       /** @enum {string} */
       type: "system";
       destination: {
        /** @enum {unknown} */
        type: "mirror" | "unsubscribe" | "open";
       };
      } | {
       /** @enum {string} */
       type: "form";
       destination: {
        id: string;
       };
      } | {
       /** @enum {string} */
       type: "redirection";
       destination: {
        url: string;
       };
      })[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       links: string[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/export/recipients": {
  /** @deprecated */
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/actions/{id}/export/recipients.csv": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "text/csv": string;
     };
    };
   };
  };
 };
 "/actions/{id}/export/tracking/opens": {
  /** @deprecated */
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/actions/{id}/export/tracking/opens.csv": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "text/csv": string;
     };
    };
   };
  };
 };
 "/actions/{id}/export/tracking/clicks": {
  /** @deprecated */
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/actions/{id}/export/tracking/clicks.csv": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "text/csv": string;
     };
    };
   };
  };
 };
 "/exports/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content: {
      "text/csv": string;
     };
    };
   };
  };
 };
 "/actions/archives": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     startDate?: string;
     endDate?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       action: string;
       target: string;
       /** Format: uuid */
       stamp: string;
       /** Format: date-time */
       sendingDate: string;
       url: string;
       /** Format: date-time */
       expiresOn: string;
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/archives": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     startDate?: string;
     endDate?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       action: string;
       target: string;
       /** Format: uuid */
       stamp: string;
       /** Format: date-time */
       sendingDate: string;
       url: string;
       /** Format: date-time */
       expiresOn: string;
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/targets/{target}/archives": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     startDate?: string;
     endDate?: string;
    };
    path: {
     id: string;
     target: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       action: string;
       target: string;
       /** Format: uuid */
       stamp: string;
       /** Format: date-time */
       sendingDate: string;
       url: string;
       /** Format: date-time */
       expiresOn: string;
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/archives": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     startDate?: string;
     endDate?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       action: string;
       target: string;
       /** Format: uuid */
       stamp: string;
       /** Format: date-time */
       sendingDate: string;
       url: string;
       /** Format: date-time */
       expiresOn: string;
      }[];
     };
    };
   };
  };
 };
 "/actions/stamp/{id}/archives": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       action: string;
       target: string;
       /** Format: uuid */
       stamp: string;
       /** Format: date-time */
       sendingDate: string;
       url: string;
       /** Format: date-time */
       expiresOn: string;
      };
     };
    };
   };
  };
 };
 "/archives/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content: {
      "message/rfc822": string;
     };
    };
   };
  };
 };
 "/display/campaign": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     report?: boolean;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
       report?: {
        impressions: {
         human: number;
         machine: number;
         contacts: number;
        };
        clicks: {
         human: number;
         machine: number;
         contacts: number;
        };
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      startDate?: string | number | null;
      endDate?: string | number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
      };
     };
    };
   };
  };
 };
 "/display/campaign/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      startDate?: string | number | null;
      endDate?: string | number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      startDate?: string | number | null;
      endDate?: string | number | null;
     } | unknown[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       startDate: string | null;
       endDate: string | null;
      };
     };
    };
   };
  };
 };
 "/display/campaign/{id}/report": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       impressions: {
        human: number;
        machine: number;
        contacts: number;
       };
       clicks: {
        human: number;
        machine: number;
        contacts: number;
       };
       /** Format: date-time */
       start: string;
       /** Format: date-time */
       end: string;
       days: {
        /** Format: date */
        date: string;
        impressions: number;
        clicks: number;
       }[];
       contents: {
        id: string;
        impressions: number;
        clicks: number;
       }[];
       placements: {
        id: string;
        impressions: number;
        clicks: number;
       }[];
      };
     };
    };
   };
  };
 };
 "/display/placement": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       site: string | null;
       width: number | null;
       height: number | null;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      site?: string | null;
      width?: number | null;
      height?: number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       site: string | null;
       width: number | null;
       height: number | null;
      };
     };
    };
   };
  };
 };
 "/display/placement/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       site: string | null;
       width: number | null;
       height: number | null;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      site?: string | null;
      width?: number | null;
      height?: number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       site: string | null;
       width: number | null;
       height: number | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      site?: string | null;
      width?: number | null;
      height?: number | null;
     } | unknown[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       site: string | null;
       width: number | null;
       height: number | null;
      };
     };
    };
   };
  };
 };
 "/display/content": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       campaign: string;
       url: string;
       placements: string[];
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      campaign?: string;
      url?: string;
      placements?: string[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       campaign: string;
       url: string;
       placements: string[];
      };
     };
    };
   };
  };
 };
 "/display/content/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       campaign: string;
       url: string;
       placements: string[];
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      campaign?: string;
      url?: string;
      placements?: string[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       campaign: string;
       url: string;
       placements: string[];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      active?: boolean;
      creationDate?: unknown;
      updateDate?: unknown;
      campaign?: string;
      url?: string;
      placements?: string[];
     } | unknown[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
       description: string | null;
       active: boolean;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       campaign: string;
       url: string;
       placements: string[];
      };
     };
    };
   };
  };
 };
 "/display/content/{id}/tags": {
  get: {
   parameters: {
    query?: {
     placement?: string;
     contact?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       impression: string;
       click: string;
       html: string;
      };
     };
    };
   };
  };
 };
 "/targets/{id}/timeline": {
  get: {
   parameters: {
    query?: {
     before?: string;
     limit?: number;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       items: {
        /** Format: uuid */
        id: string;
        /** Format: date-time */
        at: string;
        /** @enum {unknown} */
        channel: "email" | "sms" | "rcs" | "notification" | "display";
        /** @enum {unknown} */
        type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        source: {
         /** @enum {unknown} */
         type: "action" | "rcs" | "notification" | "displayCampaign";
         id: string | number;
         name: string | null;
        } | null;
        stamp: string | null;
        classification: ("mpp" | "gsr" | "genericrobot") | null;
        isTest: boolean;
        detail: {
         [key: string]: unknown;
        };
       }[];
       next: string | null;
      };
     };
    };
   };
  };
 };
 "/actions/events": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/cancellations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/bounces": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/complaints": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/responses/stop": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/hits": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/hits/open": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/hits/redirection": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/hits/unsubscribe": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/hits/mirror": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/events/hits/form": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/cancellations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/bounces": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/complaints": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/responses/stop": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/hits": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/hits/open": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/hits/redirection": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/hits/unsubscribe": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/hits/mirror": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/{id}/events/hits/form": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/actions/reactivities": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/bounces": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/hits": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/hits/open": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/hits/redirection": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/hits/unsubscribe": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/hits/mirror": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/hits/form": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/complaints": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/reactivities/responses/stop": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/bounces": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/hits": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/hits/open": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/hits/redirection": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/hits/unsubscribe": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/hits/mirror": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/hits/form": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/complaints": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/actions/{id}/reactivities/responses/stop": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/executions": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/cancellations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/bounces": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/deliveries": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/interactions": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/interactions/read": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/events": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/events/executions": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/events/cancellations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/events/bounces": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/events/deliveries": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/events/interactions": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/events/interactions/read": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/stamp": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     thread?: unknown;
     classification?: string[];
     classifications?: string[];
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/events/lookup": {
  get: {
   parameters: {
    query?: {
     phone?: unknown;
     agent?: unknown;
     type?: "execution" | "activation" | "cancellation" | "bounce" | "delivery" | "interaction" | "reply";
     start?: string;
     end?: string;
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/channel/rcs/actions/reactivities": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/reactivities/bounces": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/reactivities/deliveries": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/reactivities/interactions": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/reactivities/interactions/read": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/reactivities": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/reactivities/bounces": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/reactivities/deliveries": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/reactivities/interactions": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/reactivities/interactions/read": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/events/hits": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/events/executions": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/events/cancellations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/events/bounces": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/events/optouts": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/events": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/events/impressions": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/events/hits": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/events/executions": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/events/cancellations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/events/bounces": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/{id}/events/optouts": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/notifications/reactivities": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/reactivities/impressions": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/reactivities/hits": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/reactivities/optouts": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/reactivities/bounces": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/reactivities": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/reactivities/impressions": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/reactivities/hits": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/reactivities/optouts": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/reactivities/bounces": {
  get: {
   parameters: {
    query?: {
     activationStart?: string;
     activationEnd?: string;
     reactivityStart?: string;
     reactivityEnd?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     bucket?: "hour" | "day";
     zone?: string;
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
      "application/vnd.reactivity.summary+json": {
       filters: {
        activationStart: string | null;
        activationEnd: string | null;
        reactivityStart: string | null;
        reactivityEnd: string | null;
       };
       bucket: ("hour" | "day") | null;
       zone: string;
       activations: {
        total: number;
        contacts: number;
       };
       kinds: {
        /** @enum {unknown} */
        kind: "executions" | "activations" | "cancellations" | "bounces" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses/stop" | "responses/other" | "deliveries" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts";
        total: number;
        contacts: number;
        robots: number;
        buckets: {
         /** Format: date-time */
         start: string;
         total: number;
         contacts: number;
         robots: number;
        }[];
       }[];
      };
     };
    };
   };
  };
 };
 "/targets/events": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/activations": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/bounces": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/complaints": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/responses/stop": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/hits": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/hits/open": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/hits/redirection": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/hits/unsubscribe": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/hits/mirror": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/events/hits/form": {
  get: {
   parameters: {
    query?: {
     id?: unknown;
     unicity?: unknown;
     hash?: unknown;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events/bounces": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events/hits": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events/hits/open": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events/hits/redirection": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events/hits/unsubscribe": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events/hits/mirror": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/events/hits/form": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/display/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/display/events/hits/redirection": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/display/campaign/{id}/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/display/campaign/{id}/events/hits/redirection": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/display/placement/{id}/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/display/placement/{id}/events/hits/redirection": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/display/content/{id}/events/activations": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/display/content/{id}/events/hits/redirection": {
  get: {
   parameters: {
    query?: {
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
     classification?: string[];
     classifications?: string[];
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/x-ndjson": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      };
      "application/json": {
       /** @enum {unknown} */
       type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
       /** Format: uuid */
       id: string;
       timestamp: number;
       identity: {
        /** @enum {string} */
        type: "customer";
        agency: string;
        customer: string;
       };
       source: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "display";
        detail: {
         [key: string]: unknown;
        };
       };
      }[];
     };
    };
   };
  };
 };
 "/messages/{stamp}": {
  get: {
   parameters: {
    path: {
     stamp: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       stamp: {
        id: string;
        thread: string;
        set: string;
        time: number;
       };
       /** @enum {unknown} */
       channel: "email" | "sms" | "rcs" | "notification";
       /** @enum {unknown} */
       kind: "message" | "campaign" | "test";
       /** @enum {unknown} */
       state: "queued" | "accepted" | "refused" | "cancelled" | "held";
       source: {
        /** @enum {unknown} */
        type: "action" | "rcs" | "notification";
        id: string | number;
        name: string;
       };
       contact: string | null;
       address: string | null;
       parts: {
        [key: string]: string;
       };
       sender: {
        [key: string]: unknown;
       } | string | null;
       message: {
        [key: string]: unknown;
       } | null;
       error: {
        /** @enum {unknown} */
        type: "render" | "cancelled";
        message: string;
       } | null;
       lastReply: string | null;
      };
     };
    };
   };
  };
 };
 "/actions/{id}/audience": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      segments?: {
       selected?: number[];
       excluded?: number[];
      } | null;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       selected: number;
       excluded: number;
       net: number;
       overlaps: {
        segments: number[];
        count: number;
       }[];
       cannot: {
        type: string;
        count: number;
       }[];
       pressure: {
        stopped: number;
       };
       exact: boolean;
       /** Format: date-time */
       at: string;
      };
     };
    };
   };
  };
 };
 "/channel/rcs/actions/{id}/audience": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      segments?: {
       selected?: number[];
       excluded?: number[];
      } | null;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       selected: number;
       excluded: number;
       net: number;
       overlaps: {
        segments: number[];
        count: number;
       }[];
       cannot: {
        type: string;
        count: number;
       }[];
       pressure: {
        stopped: number;
       };
       exact: boolean;
       /** Format: date-time */
       at: string;
      };
     };
    };
   };
  };
 };
 "/notifications/{id}/audience": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      segments?: {
       selected?: number[];
       excluded?: number[];
      } | null;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       selected: number;
       excluded: number;
       net: number;
       overlaps: {
        segments: number[];
        count: number;
       }[];
       cannot: {
        type: string;
        count: number;
       }[];
       pressure: {
        stopped: number;
       };
       exact: boolean;
       /** Format: date-time */
       at: string;
      };
     };
    };
   };
  };
 };
 "/targets/{id}/reachability": {
  get: {
   parameters: {
    query?: {
     purpose?: "marketing" | "service";
     topic?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       email: {
        may: boolean;
        until: string | null;
        because: {
         type: string;
         value: {
          [key: string]: unknown;
         } | null;
        }[];
       };
       sms: {
        may: boolean;
        until: string | null;
        because: {
         type: string;
         value: {
          [key: string]: unknown;
         } | null;
        }[];
       };
       rcs: {
        may: boolean;
        until: string | null;
        because: {
         type: string;
         value: {
          [key: string]: unknown;
         } | null;
        }[];
       };
       notification: {
        may: boolean;
        until: string | null;
        because: {
         type: string;
         value: {
          [key: string]: unknown;
         } | null;
        }[];
       };
      };
     };
    };
   };
  };
 };
 "/settings/events": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       ip: "full" | "truncated" | "none";
       retentionMonths: number;
       stopWords: string[];
       /** @enum {unknown} */
       displayIdentity: "none" | "consent" | "always";
      };
     };
    };
   };
  };
  put: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      ip?: "full" | "truncated" | "none";
      retentionMonths?: number;
      stopWords?: string[];
      /** @enum {unknown} */
      displayIdentity?: "none" | "consent" | "always";
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       ip: "full" | "truncated" | "none";
       retentionMonths: number;
       stopWords: string[];
       /** @enum {unknown} */
       displayIdentity: "none" | "consent" | "always";
      };
     };
    };
   };
  };
 };
 "/webhooks": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       url: string;
       events: ("executions" | "activations" | "cancellations" | "bounces" | "hits" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses" | "responses/stop" | "responses/other" | "deliveries" | "interactions" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts" | "custom" | "target.created" | "target.updated" | "target.deleted" | "target.redlisted" | "target.bounced" | "segment.entered" | "segment.left" | "subscription.created" | "subscription.deleted" | "import.completed" | "message.postponed")[];
       channels: ("email" | "sms" | "rcs" | "notification" | "display")[];
       classification: ("human" | "none" | "genericrobot" | "mpp" | "gsr" | "all")[];
       active: boolean;
       batch: {
        size: number;
        waitMs: number;
       };
       /** @enum {unknown} */
       state: "ok" | "failing" | "suspended";
       statistics: {
        pending: number;
        deadLetters: number;
        lastSuccess: string | null;
        lastFailure: string | null;
       };
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      name?: string;
      url?: string;
      events?: ("executions" | "activations" | "cancellations" | "bounces" | "hits" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses" | "responses/stop" | "responses/other" | "deliveries" | "interactions" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts" | "custom" | "target.created" | "target.updated" | "target.deleted" | "target.redlisted" | "target.bounced" | "segment.entered" | "segment.left" | "subscription.created" | "subscription.deleted" | "import.completed" | "message.postponed")[];
      channels?: ("email" | "sms" | "rcs" | "notification" | "display")[];
      classification?: ("human" | "none" | "genericrobot" | "mpp" | "gsr" | "all")[] | string | null;
      active?: boolean;
      batch?: {
       size?: number;
       waitMs?: number;
      };
      id?: unknown;
      state?: unknown;
      statistics?: unknown;
      creationDate?: unknown;
      updateDate?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       url: string;
       events: ("executions" | "activations" | "cancellations" | "bounces" | "hits" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses" | "responses/stop" | "responses/other" | "deliveries" | "interactions" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts" | "custom" | "target.created" | "target.updated" | "target.deleted" | "target.redlisted" | "target.bounced" | "segment.entered" | "segment.left" | "subscription.created" | "subscription.deleted" | "import.completed" | "message.postponed")[];
       channels: ("email" | "sms" | "rcs" | "notification" | "display")[];
       classification: ("human" | "none" | "genericrobot" | "mpp" | "gsr" | "all")[];
       active: boolean;
       batch: {
        size: number;
        waitMs: number;
       };
       /** @enum {unknown} */
       state: "ok" | "failing" | "suspended";
       statistics: {
        pending: number;
        deadLetters: number;
        lastSuccess: string | null;
        lastFailure: string | null;
       };
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       secret: string;
      };
     };
    };
   };
  };
 };
 "/webhooks/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       url: string;
       events: ("executions" | "activations" | "cancellations" | "bounces" | "hits" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses" | "responses/stop" | "responses/other" | "deliveries" | "interactions" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts" | "custom" | "target.created" | "target.updated" | "target.deleted" | "target.redlisted" | "target.bounced" | "segment.entered" | "segment.left" | "subscription.created" | "subscription.deleted" | "import.completed" | "message.postponed")[];
       channels: ("email" | "sms" | "rcs" | "notification" | "display")[];
       classification: ("human" | "none" | "genericrobot" | "mpp" | "gsr" | "all")[];
       active: boolean;
       batch: {
        size: number;
        waitMs: number;
       };
       /** @enum {unknown} */
       state: "ok" | "failing" | "suspended";
       statistics: {
        pending: number;
        deadLetters: number;
        lastSuccess: string | null;
        lastFailure: string | null;
       };
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      name?: string;
      url?: string;
      events?: ("executions" | "activations" | "cancellations" | "bounces" | "hits" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses" | "responses/stop" | "responses/other" | "deliveries" | "interactions" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts" | "custom" | "target.created" | "target.updated" | "target.deleted" | "target.redlisted" | "target.bounced" | "segment.entered" | "segment.left" | "subscription.created" | "subscription.deleted" | "import.completed" | "message.postponed")[];
      channels?: ("email" | "sms" | "rcs" | "notification" | "display")[];
      classification?: ("human" | "none" | "genericrobot" | "mpp" | "gsr" | "all")[] | string | null;
      active?: boolean;
      batch?: {
       size?: number;
       waitMs?: number;
      };
      id?: unknown;
      state?: unknown;
      statistics?: unknown;
      creationDate?: unknown;
      updateDate?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       url: string;
       events: ("executions" | "activations" | "cancellations" | "bounces" | "hits" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses" | "responses/stop" | "responses/other" | "deliveries" | "interactions" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts" | "custom" | "target.created" | "target.updated" | "target.deleted" | "target.redlisted" | "target.bounced" | "segment.entered" | "segment.left" | "subscription.created" | "subscription.deleted" | "import.completed" | "message.postponed")[];
       channels: ("email" | "sms" | "rcs" | "notification" | "display")[];
       classification: ("human" | "none" | "genericrobot" | "mpp" | "gsr" | "all")[];
       active: boolean;
       batch: {
        size: number;
        waitMs: number;
       };
       /** @enum {unknown} */
       state: "ok" | "failing" | "suspended";
       statistics: {
        pending: number;
        deadLetters: number;
        lastSuccess: string | null;
        lastFailure: string | null;
       };
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       url: string;
       events: ("executions" | "activations" | "cancellations" | "bounces" | "hits" | "hits/open" | "hits/redirection" | "hits/unsubscribe" | "hits/mirror" | "hits/form" | "hits/dismiss" | "complaints" | "responses" | "responses/stop" | "responses/other" | "deliveries" | "interactions" | "interactions/read" | "interactions/text" | "interactions/file" | "interactions/location" | "interactions/suggestion" | "interactions/redirection" | "interactions/subscribe" | "interactions/unsubscribe" | "impressions" | "optouts" | "custom" | "target.created" | "target.updated" | "target.deleted" | "target.redlisted" | "target.bounced" | "segment.entered" | "segment.left" | "subscription.created" | "subscription.deleted" | "import.completed" | "message.postponed")[];
       channels: ("email" | "sms" | "rcs" | "notification" | "display")[];
       classification: ("human" | "none" | "genericrobot" | "mpp" | "gsr" | "all")[];
       active: boolean;
       batch: {
        size: number;
        waitMs: number;
       };
       /** @enum {unknown} */
       state: "ok" | "failing" | "suspended";
       statistics: {
        pending: number;
        deadLetters: number;
        lastSuccess: string | null;
        lastFailure: string | null;
       };
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
      };
     };
    };
   };
  };
 };
 "/webhooks/{id}/deadletters": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       events: string[];
       /** Format: date-time */
       date: string;
       tries: number;
       detail: string | null;
       /** Format: date-time */
       deadDate: string;
      }[];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      ids?: string[];
      start?: string | number;
      end?: string | number;
     } | null;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/webhooks/{id}/deadletters/replay": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      ids?: string[];
      start?: string | number;
      end?: string | number;
     };
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/webhooks/{id}/deliveries": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       /** Format: date-time */
       date: string;
       /** Format: uuid */
       delivery: string;
       events: number;
       try: number;
       success: boolean;
       status: number | null;
       durationMs: number;
       detail: string | null;
      }[];
     };
    };
   };
  };
 };
 "/webhooks/{id}/secret": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       secret: string;
       /** Format: date-time */
       previousUntil: string;
      };
     };
    };
   };
  };
 };
 "/webhooks/{id}/test": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       success: boolean;
       status: number | null;
       durationMs: number;
       detail: string | null;
      };
     };
    };
   };
  };
 };
 "/events/stream": {
  get: {
   parameters: {
    query?: {
     events?: string[];
     channels?: string[];
     classification?: string[];
     action?: string;
     contact?: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/scripting/workflows": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     state?: 0 | 1;
     name?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       state: number;
       version: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        timeZone: {
         id: string;
        };
        timeZoneField: number | null;
        entryKey: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
        reentry: {
         /** @enum {unknown} */
         mode: "always" | "never" | "afterExit" | "afterPeriod";
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         } | null;
        };
        concurrency: number;
        maxNodes: number;
        maxDuration: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
        /** @enum {unknown} */
        onDeactivate: "pause" | "kill";
        /** @enum {unknown} */
        migration: "none" | "atWaits";
        /** @enum {unknown} */
        trace: "all" | "errors" | "none";
       } & {
        [key: string]: unknown;
       };
       listeners: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        event: ({
         type: string;
         filter: {
          /** @enum {unknown} */
          type: "literal" | "path" | "template" | "script";
          value: unknown;
         } | null;
        } & {
         [key: string]: unknown;
        }) | null;
        /** @enum {unknown} */
        onOpen: "start" | "skip" | "move" | "moveOrStart";
        /** @enum {unknown} */
        correlation: "contact" | "thread";
        handler: string | null;
       }[];
       tasks: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        schedulers: ({
         /** @enum {unknown} */
         type: "cron" | "once";
         id: string;
        } & {
         [key: string]: unknown;
        })[];
        provider: {
         /** @enum {unknown} */
         type: "none" | "segment" | "search" | "compilable";
        } & {
         [key: string]: unknown;
        };
        handler: string | null;
        /** @enum {unknown} */
        missed: "once" | "none";
        /** @enum {unknown} */
        overlap: "skip" | "queue";
        /** Format: date-time */
        nextRun: string | null;
        /** Format: date-time */
        lastRun: string | null;
       }[];
       capping: {
        /** Format: uuid */
        id: string;
        key: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        };
        increment: number;
        threshold: number | null;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
        nodes: string[];
        /** @enum {unknown} */
        action: "continue" | "end";
       }[];
       nodes: ({
        type: string;
        id: string;
        name: string | null;
        description: string | null;
        rationale: string | null;
        default: boolean;
        settings: {
         [key: string]: unknown;
        };
        next: string | null;
       } & {
        [key: string]: unknown;
       })[];
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      state?: unknown;
      version?: unknown;
      creationDate?: unknown;
      updateDate?: unknown;
      listeners?: unknown[];
      tasks?: unknown[];
      nodes?: unknown[];
      capping?: unknown[];
      scripting?: {
       [key: string]: unknown;
      } | null;
      settings?: {
       [key: string]: unknown;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       state: number;
       version: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        timeZone: {
         id: string;
        };
        timeZoneField: number | null;
        entryKey: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
        reentry: {
         /** @enum {unknown} */
         mode: "always" | "never" | "afterExit" | "afterPeriod";
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         } | null;
        };
        concurrency: number;
        maxNodes: number;
        maxDuration: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
        /** @enum {unknown} */
        onDeactivate: "pause" | "kill";
        /** @enum {unknown} */
        migration: "none" | "atWaits";
        /** @enum {unknown} */
        trace: "all" | "errors" | "none";
       } & {
        [key: string]: unknown;
       };
       listeners: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        event: ({
         type: string;
         filter: {
          /** @enum {unknown} */
          type: "literal" | "path" | "template" | "script";
          value: unknown;
         } | null;
        } & {
         [key: string]: unknown;
        }) | null;
        /** @enum {unknown} */
        onOpen: "start" | "skip" | "move" | "moveOrStart";
        /** @enum {unknown} */
        correlation: "contact" | "thread";
        handler: string | null;
       }[];
       tasks: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        schedulers: ({
         /** @enum {unknown} */
         type: "cron" | "once";
         id: string;
        } & {
         [key: string]: unknown;
        })[];
        provider: {
         /** @enum {unknown} */
         type: "none" | "segment" | "search" | "compilable";
        } & {
         [key: string]: unknown;
        };
        handler: string | null;
        /** @enum {unknown} */
        missed: "once" | "none";
        /** @enum {unknown} */
        overlap: "skip" | "queue";
        /** Format: date-time */
        nextRun: string | null;
        /** Format: date-time */
        lastRun: string | null;
       }[];
       capping: {
        /** Format: uuid */
        id: string;
        key: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        };
        increment: number;
        threshold: number | null;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
        nodes: string[];
        /** @enum {unknown} */
        action: "continue" | "end";
       }[];
       nodes: ({
        type: string;
        id: string;
        name: string | null;
        description: string | null;
        rationale: string | null;
        default: boolean;
        settings: {
         [key: string]: unknown;
        };
        next: string | null;
       } & {
        [key: string]: unknown;
       })[];
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       state: number;
       version: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        timeZone: {
         id: string;
        };
        timeZoneField: number | null;
        entryKey: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
        reentry: {
         /** @enum {unknown} */
         mode: "always" | "never" | "afterExit" | "afterPeriod";
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         } | null;
        };
        concurrency: number;
        maxNodes: number;
        maxDuration: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
        /** @enum {unknown} */
        onDeactivate: "pause" | "kill";
        /** @enum {unknown} */
        migration: "none" | "atWaits";
        /** @enum {unknown} */
        trace: "all" | "errors" | "none";
       } & {
        [key: string]: unknown;
       };
       listeners: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        event: ({
         type: string;
         filter: {
          /** @enum {unknown} */
          type: "literal" | "path" | "template" | "script";
          value: unknown;
         } | null;
        } & {
         [key: string]: unknown;
        }) | null;
        /** @enum {unknown} */
        onOpen: "start" | "skip" | "move" | "moveOrStart";
        /** @enum {unknown} */
        correlation: "contact" | "thread";
        handler: string | null;
       }[];
       tasks: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        schedulers: ({
         /** @enum {unknown} */
         type: "cron" | "once";
         id: string;
        } & {
         [key: string]: unknown;
        })[];
        provider: {
         /** @enum {unknown} */
         type: "none" | "segment" | "search" | "compilable";
        } & {
         [key: string]: unknown;
        };
        handler: string | null;
        /** @enum {unknown} */
        missed: "once" | "none";
        /** @enum {unknown} */
        overlap: "skip" | "queue";
        /** Format: date-time */
        nextRun: string | null;
        /** Format: date-time */
        lastRun: string | null;
       }[];
       capping: {
        /** Format: uuid */
        id: string;
        key: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        };
        increment: number;
        threshold: number | null;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
        nodes: string[];
        /** @enum {unknown} */
        action: "continue" | "end";
       }[];
       nodes: ({
        type: string;
        id: string;
        name: string | null;
        description: string | null;
        rationale: string | null;
        default: boolean;
        settings: {
         [key: string]: unknown;
        };
        next: string | null;
       } & {
        [key: string]: unknown;
       })[];
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      state?: unknown;
      version?: unknown;
      creationDate?: unknown;
      updateDate?: unknown;
      listeners?: unknown[];
      tasks?: unknown[];
      nodes?: unknown[];
      capping?: unknown[];
      scripting?: {
       [key: string]: unknown;
      } | null;
      settings?: {
       [key: string]: unknown;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       state: number;
       version: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        timeZone: {
         id: string;
        };
        timeZoneField: number | null;
        entryKey: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
        reentry: {
         /** @enum {unknown} */
         mode: "always" | "never" | "afterExit" | "afterPeriod";
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         } | null;
        };
        concurrency: number;
        maxNodes: number;
        maxDuration: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
        /** @enum {unknown} */
        onDeactivate: "pause" | "kill";
        /** @enum {unknown} */
        migration: "none" | "atWaits";
        /** @enum {unknown} */
        trace: "all" | "errors" | "none";
       } & {
        [key: string]: unknown;
       };
       listeners: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        event: ({
         type: string;
         filter: {
          /** @enum {unknown} */
          type: "literal" | "path" | "template" | "script";
          value: unknown;
         } | null;
        } & {
         [key: string]: unknown;
        }) | null;
        /** @enum {unknown} */
        onOpen: "start" | "skip" | "move" | "moveOrStart";
        /** @enum {unknown} */
        correlation: "contact" | "thread";
        handler: string | null;
       }[];
       tasks: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        schedulers: ({
         /** @enum {unknown} */
         type: "cron" | "once";
         id: string;
        } & {
         [key: string]: unknown;
        })[];
        provider: {
         /** @enum {unknown} */
         type: "none" | "segment" | "search" | "compilable";
        } & {
         [key: string]: unknown;
        };
        handler: string | null;
        /** @enum {unknown} */
        missed: "once" | "none";
        /** @enum {unknown} */
        overlap: "skip" | "queue";
        /** Format: date-time */
        nextRun: string | null;
        /** Format: date-time */
        lastRun: string | null;
       }[];
       capping: {
        /** Format: uuid */
        id: string;
        key: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        };
        increment: number;
        threshold: number | null;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
        nodes: string[];
        /** @enum {unknown} */
        action: "continue" | "end";
       }[];
       nodes: ({
        type: string;
        id: string;
        name: string | null;
        description: string | null;
        rationale: string | null;
        default: boolean;
        settings: {
         [key: string]: unknown;
        };
        next: string | null;
       } & {
        [key: string]: unknown;
       })[];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       state: number;
       version: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        timeZone: {
         id: string;
        };
        timeZoneField: number | null;
        entryKey: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
        reentry: {
         /** @enum {unknown} */
         mode: "always" | "never" | "afterExit" | "afterPeriod";
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         } | null;
        };
        concurrency: number;
        maxNodes: number;
        maxDuration: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
        /** @enum {unknown} */
        onDeactivate: "pause" | "kill";
        /** @enum {unknown} */
        migration: "none" | "atWaits";
        /** @enum {unknown} */
        trace: "all" | "errors" | "none";
       } & {
        [key: string]: unknown;
       };
       listeners: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        event: ({
         type: string;
         filter: {
          /** @enum {unknown} */
          type: "literal" | "path" | "template" | "script";
          value: unknown;
         } | null;
        } & {
         [key: string]: unknown;
        }) | null;
        /** @enum {unknown} */
        onOpen: "start" | "skip" | "move" | "moveOrStart";
        /** @enum {unknown} */
        correlation: "contact" | "thread";
        handler: string | null;
       }[];
       tasks: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        schedulers: ({
         /** @enum {unknown} */
         type: "cron" | "once";
         id: string;
        } & {
         [key: string]: unknown;
        })[];
        provider: {
         /** @enum {unknown} */
         type: "none" | "segment" | "search" | "compilable";
        } & {
         [key: string]: unknown;
        };
        handler: string | null;
        /** @enum {unknown} */
        missed: "once" | "none";
        /** @enum {unknown} */
        overlap: "skip" | "queue";
        /** Format: date-time */
        nextRun: string | null;
        /** Format: date-time */
        lastRun: string | null;
       }[];
       capping: {
        /** Format: uuid */
        id: string;
        key: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        };
        increment: number;
        threshold: number | null;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
        nodes: string[];
        /** @enum {unknown} */
        action: "continue" | "end";
       }[];
       nodes: ({
        type: string;
        id: string;
        name: string | null;
        description: string | null;
        rationale: string | null;
        default: boolean;
        settings: {
         [key: string]: unknown;
        };
        next: string | null;
       } & {
        [key: string]: unknown;
       })[];
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/activation": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  delete: {
   parameters: {
    query?: {
     open?: "pause" | "kill";
    };
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/scripting/workflows/{id}/duplication": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       state: number;
       version: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        timeZone: {
         id: string;
        };
        timeZoneField: number | null;
        entryKey: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
        reentry: {
         /** @enum {unknown} */
         mode: "always" | "never" | "afterExit" | "afterPeriod";
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         } | null;
        };
        concurrency: number;
        maxNodes: number;
        maxDuration: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
        /** @enum {unknown} */
        onDeactivate: "pause" | "kill";
        /** @enum {unknown} */
        migration: "none" | "atWaits";
        /** @enum {unknown} */
        trace: "all" | "errors" | "none";
       } & {
        [key: string]: unknown;
       };
       listeners: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        event: ({
         type: string;
         filter: {
          /** @enum {unknown} */
          type: "literal" | "path" | "template" | "script";
          value: unknown;
         } | null;
        } & {
         [key: string]: unknown;
        }) | null;
        /** @enum {unknown} */
        onOpen: "start" | "skip" | "move" | "moveOrStart";
        /** @enum {unknown} */
        correlation: "contact" | "thread";
        handler: string | null;
       }[];
       tasks: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        schedulers: ({
         /** @enum {unknown} */
         type: "cron" | "once";
         id: string;
        } & {
         [key: string]: unknown;
        })[];
        provider: {
         /** @enum {unknown} */
         type: "none" | "segment" | "search" | "compilable";
        } & {
         [key: string]: unknown;
        };
        handler: string | null;
        /** @enum {unknown} */
        missed: "once" | "none";
        /** @enum {unknown} */
        overlap: "skip" | "queue";
        /** Format: date-time */
        nextRun: string | null;
        /** Format: date-time */
        lastRun: string | null;
       }[];
       capping: {
        /** Format: uuid */
        id: string;
        key: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        };
        increment: number;
        threshold: number | null;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
        nodes: string[];
        /** @enum {unknown} */
        action: "continue" | "end";
       }[];
       nodes: ({
        type: string;
        id: string;
        name: string | null;
        description: string | null;
        rationale: string | null;
        default: boolean;
        settings: {
         [key: string]: unknown;
        };
        next: string | null;
       } & {
        [key: string]: unknown;
       })[];
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/flaws": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "syntax" | "missing-export" | "unknown-filter" | "unknown-variable" | "unknown-field" | "unknown-reference" | "type-mismatch" | "missing-setting" | "ambiguous-setting" | "missing-parameter" | "unused-parameter" | "missing-capability" | "forbidden-host" | "flawed-reference" | "not-sendable" | "no-node" | "cycle" | "weights" | "duplicate-entry" | "missing-entry" | "unreachable" | "never-fires" | "goal-as-target" | "recursion" | "limit" | "in-memory";
       /** @enum {unknown} */
       severity: "error" | "warning";
       message: string;
       path: string;
       position?: {
        line: number;
        column: number;
        length: number;
       };
      }[];
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/versions": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       version: number;
       /** Format: date-time */
       date: string;
      }[];
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/versions/{version}": {
  get: {
   parameters: {
    path: {
     id: string;
     version: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       version: number;
       /** Format: date-time */
       date: string;
       listeners: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        event: ({
         type: string;
         filter: {
          /** @enum {unknown} */
          type: "literal" | "path" | "template" | "script";
          value: unknown;
         } | null;
        } & {
         [key: string]: unknown;
        }) | null;
        /** @enum {unknown} */
        onOpen: "start" | "skip" | "move" | "moveOrStart";
        /** @enum {unknown} */
        correlation: "contact" | "thread";
        handler: string | null;
       }[];
       tasks: {
        id: string;
        name: string | null;
        description: string | null;
        enabled: boolean;
        schedulers: ({
         /** @enum {unknown} */
         type: "cron" | "once";
         id: string;
        } & {
         [key: string]: unknown;
        })[];
        provider: {
         /** @enum {unknown} */
         type: "none" | "segment" | "search" | "compilable";
        } & {
         [key: string]: unknown;
        };
        handler: string | null;
        /** @enum {unknown} */
        missed: "once" | "none";
        /** @enum {unknown} */
        overlap: "skip" | "queue";
       }[];
       nodes: ({
        type: string;
        id: string;
        name: string | null;
        description: string | null;
        rationale: string | null;
        default: boolean;
        settings: {
         [key: string]: unknown;
        };
        next: string | null;
       } & {
        [key: string]: unknown;
       })[];
       capping: {
        /** Format: uuid */
        id: string;
        key: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        };
        increment: number;
        threshold: number | null;
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
        nodes: string[];
        /** @enum {unknown} */
        action: "continue" | "end";
       }[];
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        timeZone: {
         id: string;
        };
        timeZoneField: number | null;
        entryKey: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
        reentry: {
         /** @enum {unknown} */
         mode: "always" | "never" | "afterExit" | "afterPeriod";
         period: {
          /** @enum {unknown} */
          type: "rolling" | "calendar";
          /** @enum {unknown} */
          unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
          value: number;
         } | null;
        };
        concurrency: number;
        maxNodes: number;
        maxDuration: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        };
        /** @enum {unknown} */
        onDeactivate: "pause" | "kill";
        /** @enum {unknown} */
        migration: "none" | "atWaits";
        /** @enum {unknown} */
        trace: "all" | "errors" | "none";
       } & {
        [key: string]: unknown;
       };
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/listeners": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string | null;
       description: string | null;
       enabled: boolean;
       event: ({
        type: string;
        filter: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
       } & {
        [key: string]: unknown;
       }) | null;
       /** @enum {unknown} */
       onOpen: "start" | "skip" | "move" | "moveOrStart";
       /** @enum {unknown} */
       correlation: "contact" | "thread";
       handler: string | null;
      }[];
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": unknown[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string | null;
       description: string | null;
       enabled: boolean;
       event: ({
        type: string;
        filter: {
         /** @enum {unknown} */
         type: "literal" | "path" | "template" | "script";
         value: unknown;
        } | null;
       } & {
        [key: string]: unknown;
       }) | null;
       /** @enum {unknown} */
       onOpen: "start" | "skip" | "move" | "moveOrStart";
       /** @enum {unknown} */
       correlation: "contact" | "thread";
       handler: string | null;
      }[];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/scripting/workflows/{id}/tasks": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string | null;
       description: string | null;
       enabled: boolean;
       schedulers: ({
        /** @enum {unknown} */
        type: "cron" | "once";
        id: string;
       } & {
        [key: string]: unknown;
       })[];
       provider: {
        /** @enum {unknown} */
        type: "none" | "segment" | "search" | "compilable";
       } & {
        [key: string]: unknown;
       };
       handler: string | null;
       /** @enum {unknown} */
       missed: "once" | "none";
       /** @enum {unknown} */
       overlap: "skip" | "queue";
       /** Format: date-time */
       nextRun: string | null;
       /** Format: date-time */
       lastRun: string | null;
      }[];
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": unknown[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string | null;
       description: string | null;
       enabled: boolean;
       schedulers: ({
        /** @enum {unknown} */
        type: "cron" | "once";
        id: string;
       } & {
        [key: string]: unknown;
       })[];
       provider: {
        /** @enum {unknown} */
        type: "none" | "segment" | "search" | "compilable";
       } & {
        [key: string]: unknown;
       };
       handler: string | null;
       /** @enum {unknown} */
       missed: "once" | "none";
       /** @enum {unknown} */
       overlap: "skip" | "queue";
       /** Format: date-time */
       nextRun: string | null;
       /** Format: date-time */
       lastRun: string | null;
      }[];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/scripting/workflows/{id}/nodes": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       type: string;
       id: string;
       name: string | null;
       description: string | null;
       rationale: string | null;
       default: boolean;
       settings: {
        [key: string]: unknown;
       };
       next: string | null;
      } & {
       [key: string]: unknown;
      })[];
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": unknown[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       type: string;
       id: string;
       name: string | null;
       description: string | null;
       rationale: string | null;
       default: boolean;
       settings: {
        [key: string]: unknown;
       };
       next: string | null;
      } & {
       [key: string]: unknown;
      })[];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/scripting/workflows/{id}/capping": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       key: {
        /** @enum {unknown} */
        type: "literal" | "path" | "template" | "script";
        value: unknown;
       };
       increment: number;
       threshold: number | null;
       period: {
        /** @enum {unknown} */
        type: "rolling" | "calendar";
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       } | null;
       nodes: string[];
       /** @enum {unknown} */
       action: "continue" | "end";
      }[];
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": unknown[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       key: {
        /** @enum {unknown} */
        type: "literal" | "path" | "template" | "script";
        value: unknown;
       };
       increment: number;
       threshold: number | null;
       period: {
        /** @enum {unknown} */
        type: "rolling" | "calendar";
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       } | null;
       nodes: string[];
       /** @enum {unknown} */
       action: "continue" | "end";
      }[];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/scripting/workflows/{id}/scripting": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       version: "7.0.0";
       environment: {
        capabilities?: string[];
        http?: {
         allow: string[];
        };
        variables?: {
         [key: string]: unknown;
        };
        secrets?: {
         [key: string]: string;
        };
       };
       imports: {
        [key: string]: unknown;
       }[] | null;
       initializers: {
        [key: string]: unknown;
       }[] | null;
       filters: {
        [key: string]: unknown;
       }[] | null;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      [key: string]: unknown;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       version: "7.0.0";
       environment: {
        capabilities?: string[];
        http?: {
         allow: string[];
        };
        variables?: {
         [key: string]: unknown;
        };
        secrets?: {
         [key: string]: string;
        };
       };
       imports: {
        [key: string]: unknown;
       }[] | null;
       initializers: {
        [key: string]: unknown;
       }[] | null;
       filters: {
        [key: string]: unknown;
       }[] | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       version: "7.0.0";
       environment: {
        capabilities?: string[];
        http?: {
         allow: string[];
        };
        variables?: {
         [key: string]: unknown;
        };
        secrets?: {
         [key: string]: string;
        };
       };
       imports: {
        [key: string]: unknown;
       }[] | null;
       initializers: {
        [key: string]: unknown;
       }[] | null;
       filters: {
        [key: string]: unknown;
       }[] | null;
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/settings": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       timeZone: {
        id: string;
       };
       timeZoneField: number | null;
       entryKey: {
        /** @enum {unknown} */
        type: "literal" | "path" | "template" | "script";
        value: unknown;
       } | null;
       reentry: {
        /** @enum {unknown} */
        mode: "always" | "never" | "afterExit" | "afterPeriod";
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       };
       concurrency: number;
       maxNodes: number;
       maxDuration: {
        /** @enum {unknown} */
        type: "rolling" | "calendar";
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
       /** @enum {unknown} */
       onDeactivate: "pause" | "kill";
       /** @enum {unknown} */
       migration: "none" | "atWaits";
       /** @enum {unknown} */
       trace: "all" | "errors" | "none";
      } & {
       [key: string]: unknown;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      [key: string]: unknown;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       timeZone: {
        id: string;
       };
       timeZoneField: number | null;
       entryKey: {
        /** @enum {unknown} */
        type: "literal" | "path" | "template" | "script";
        value: unknown;
       } | null;
       reentry: {
        /** @enum {unknown} */
        mode: "always" | "never" | "afterExit" | "afterPeriod";
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       };
       concurrency: number;
       maxNodes: number;
       maxDuration: {
        /** @enum {unknown} */
        type: "rolling" | "calendar";
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
       /** @enum {unknown} */
       onDeactivate: "pause" | "kill";
       /** @enum {unknown} */
       migration: "none" | "atWaits";
       /** @enum {unknown} */
       trace: "all" | "errors" | "none";
      } & {
       [key: string]: unknown;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       timeZone: {
        id: string;
       };
       timeZoneField: number | null;
       entryKey: {
        /** @enum {unknown} */
        type: "literal" | "path" | "template" | "script";
        value: unknown;
       } | null;
       reentry: {
        /** @enum {unknown} */
        mode: "always" | "never" | "afterExit" | "afterPeriod";
        period: {
         /** @enum {unknown} */
         type: "rolling" | "calendar";
         /** @enum {unknown} */
         unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
         value: number;
        } | null;
       };
       concurrency: number;
       maxNodes: number;
       maxDuration: {
        /** @enum {unknown} */
        type: "rolling" | "calendar";
        /** @enum {unknown} */
        unit: "MILLISECOND" | "SECOND" | "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
        value: number;
       };
       /** @enum {unknown} */
       onDeactivate: "pause" | "kill";
       /** @enum {unknown} */
       migration: "none" | "atWaits";
       /** @enum {unknown} */
       trace: "all" | "errors" | "none";
      } & {
       [key: string]: unknown;
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/nodes/{node}/experiment": {
  get: {
   parameters: {
    path: {
     id: string;
     node: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       method: "fixed" | "bandit";
       branches: {
        id: string;
        visits: number;
        counted: number;
        conversions: number;
        rate: number | null;
        interval: {
         low: number;
         high: number;
        };
        probability: number;
        share: number | null;
       }[];
       holdout: {
        visits: number;
        counted: number;
        conversions: number;
        rate: number | null;
        interval: {
         low: number;
         high: number;
        };
       };
       winner: {
        branch: string;
        /** Format: date-time */
        since: string;
        probability: number;
       } | null;
       computed: string | null;
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/execution": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: string | null;
      receiver?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      node?: string | null;
      event?: {
       [key: string]: unknown;
      } | null;
      state?: {
       [key: string]: unknown;
      } | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      resolutions?: {
       key: string;
       value?: {
        [key: string]: unknown;
       } | null;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      debug?: {
       version?: string | null;
       id?: string | null;
       ttl?: number | null;
       nodes?: (string | Record<string, never>)[] | null;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       id: string;
       receiver: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        receiver: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "re-entry refused";
        /** @enum {unknown} */
        reason: "concurrency" | "never" | "afterExit" | "afterPeriod" | "empty key";
       } | {
        /** @enum {string} */
        type: "run not waiting";
        id: string | null;
       } | {
        /** @enum {string} */
        type: "run id used";
        id: string;
       } | {
        /** @enum {string} */
        type: "run too large";
       } | {
        /** @enum {string} */
        type: "busy";
       } | ({
        type: string;
       } & {
        [key: string]: unknown;
       });
      } | ({
       /** @enum {unknown} */
       type: "success" | "error";
       debug: unknown;
      } & {
       [key: string]: unknown;
      });
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/executions": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: string | null;
      receiver?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      node?: string | null;
      event?: {
       [key: string]: unknown;
      } | null;
      state?: {
       [key: string]: unknown;
      } | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      resolutions?: {
       key: string;
       value?: {
        [key: string]: unknown;
       } | null;
      }[] | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      debug?: {
       version?: string | null;
       id?: string | null;
       ttl?: number | null;
       nodes?: (string | Record<string, never>)[] | null;
      } | null;
     }[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "success";
       id: string;
       receiver: ({
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | {
        /** @enum {string} */
        type: "id";
        value: string;
       }) | null;
      } | {
       /** @enum {string} */
       type: "error";
       value: {
        /** @enum {string} */
        type: "recipient not found";
        receiver: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
       } | {
        /** @enum {string} */
        type: "re-entry refused";
        /** @enum {unknown} */
        reason: "concurrency" | "never" | "afterExit" | "afterPeriod" | "empty key";
       } | {
        /** @enum {string} */
        type: "run not waiting";
        id: string | null;
       } | {
        /** @enum {string} */
        type: "run id used";
        id: string;
       } | {
        /** @enum {string} */
        type: "run too large";
       } | {
        /** @enum {string} */
        type: "busy";
       } | ({
        type: string;
       } & {
        [key: string]: unknown;
       });
      } | ({
       /** @enum {unknown} */
       type: "success" | "error";
       debug: unknown;
      } & {
       [key: string]: unknown;
      }))[];
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/simulation": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      receiver?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      node?: string | null;
      event?: {
       [key: string]: unknown;
      } | null;
      data?: {
       [key: string]: unknown;
      } | null;
      state?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      clock?: unknown | null;
      events?: ({
       at: unknown;
       type: string;
      } & {
       [key: string]: unknown;
      })[] | null;
      responses?: {
       [key: string]: {
        status?: number;
        headers?: {
         [key: string]: string;
        };
        body?: unknown;
       };
      } | null;
      maxNodes?: number | null;
      definition?: {
       id?: unknown;
       name?: string;
       description?: string | null;
       state?: unknown;
       version?: unknown;
       creationDate?: unknown;
       updateDate?: unknown;
       listeners?: unknown[];
       tasks?: unknown[];
       nodes?: unknown[];
       capping?: unknown[];
       scripting?: {
        [key: string]: unknown;
       } | null;
       settings?: {
        [key: string]: unknown;
       } | null;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "success" | "error";
       value?: {
        type: string;
       } & {
        [key: string]: unknown;
       };
       status?: string;
       reason?: string | null;
       outcome?: string | null;
       node?: string;
       /** Format: date-time */
       clock?: string;
       variables?: {
        [key: string]: unknown;
       };
       trace?: {
        seq: number;
        node: string;
        type: string;
        visit: number;
        attempt: number;
        /** Format: date-time */
        enter: string;
        /** Format: date-time */
        leave: string;
        outcome: string;
        next: string | null;
        detail: {
         [key: string]: unknown;
        } | null;
       }[];
       effects?: {
        node: string;
        type: string;
        /** Format: date-time */
        at: string;
        value: unknown;
       }[];
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/tasks/{uuid}/execution": {
  post: {
   parameters: {
    path: {
     id: string;
     uuid: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      limit?: number | null;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       task: string;
       /** @enum {unknown} */
       state: "running" | "completed" | "failed";
       count: number;
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/tasks/{uuid}/executions/{firing}": {
  get: {
   parameters: {
    path: {
     id: string;
     uuid: string;
     firing: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       task: string;
       /** @enum {unknown} */
       state: "running" | "completed" | "failed";
       count: number;
       rows: number;
       skipped: number;
       refused: number;
       reason: string | null;
       /** Format: date-time */
       start: string;
       /** Format: date-time */
       end: string | null;
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/runs": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     contact?: string;
     unicity?: string;
     hash?: string;
     status?: string;
     node?: string;
     version?: number;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       workflow: number;
       version: number;
       contact: {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | null;
       /** @enum {unknown} */
       status: "running" | "waiting" | "paused" | "completed" | "failed" | "killed" | "expired" | "capped";
       reason: string | null;
       outcome: string | null;
       node: string;
       start: {
        /** @enum {unknown} */
        type: "execution" | "listener" | "task";
        id: string | null;
       };
       depth: number;
       stamp: {
        time: number;
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        thread: string;
        /** Format: uuid */
        set: string;
       };
       /** Format: date-time */
       wake: string | null;
       steps: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** Format: date-time */
       endDate: string | null;
      }[];
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/events": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     start?: string;
     end?: string;
     sort?: "asc" | "desc";
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "custom";
       name: string;
       /** Format: uuid */
       id: string;
       timestamp: number;
       contact: string | null;
       data: {
        [key: string]: unknown;
       };
       stamp: {
        [key: string]: unknown;
       } | null;
       depth: number;
      }[];
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/runs/{run}": {
  get: {
   parameters: {
    path: {
     id: string;
     run: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       workflow: number;
       version: number;
       contact: {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | null;
       /** @enum {unknown} */
       status: "running" | "waiting" | "paused" | "completed" | "failed" | "killed" | "expired" | "capped";
       reason: string | null;
       outcome: string | null;
       node: string;
       start: {
        /** @enum {unknown} */
        type: "execution" | "listener" | "task";
        id: string | null;
       };
       depth: number;
       stamp: {
        time: number;
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        thread: string;
        /** Format: uuid */
        set: string;
       };
       /** Format: date-time */
       wake: string | null;
       steps: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** Format: date-time */
       endDate: string | null;
       data: {
        [key: string]: unknown;
       };
       state: {
        [key: string]: unknown;
       };
       variables: {
        [key: string]: unknown;
       };
       trace: {
        seq: number;
        node: string;
        type: string;
        visit: number;
        attempt: number;
        /** Format: date-time */
        enter: string;
        /** Format: date-time */
        leave: string;
        outcome: string;
        next: string | null;
        detail: {
         [key: string]: unknown;
        } | null;
       }[];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
     run: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/scripting/workflows/{id}/runs/{run}/retry": {
  post: {
   parameters: {
    path: {
     id: string;
     run: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       workflow: number;
       version: number;
       contact: {
        /** @enum {string} */
        type: "footprint";
        id: string;
        unicity: string;
        hash: string;
       } | null;
       /** @enum {unknown} */
       status: "running" | "waiting" | "paused" | "completed" | "failed" | "killed" | "expired" | "capped";
       reason: string | null;
       outcome: string | null;
       node: string;
       start: {
        /** @enum {unknown} */
        type: "execution" | "listener" | "task";
        id: string | null;
       };
       depth: number;
       stamp: {
        time: number;
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        thread: string;
        /** Format: uuid */
        set: string;
       };
       /** Format: date-time */
       wake: string | null;
       steps: number;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       /** Format: date-time */
       endDate: string | null;
       data: {
        [key: string]: unknown;
       };
       state: {
        [key: string]: unknown;
       };
       variables: {
        [key: string]: unknown;
       };
       trace: {
        seq: number;
        node: string;
        type: string;
        visit: number;
        attempt: number;
        /** Format: date-time */
        enter: string;
        /** Format: date-time */
        leave: string;
        outcome: string;
        next: string | null;
        detail: {
         [key: string]: unknown;
        } | null;
       }[];
      };
     };
    };
   };
  };
 };
 "/scripting/workflows/{id}/statistics": {
  get: {
   parameters: {
    query?: {
     version?: number;
     start?: string;
     end?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       workflow: number;
       version: number | null;
       runs: {
        started: number;
        open: number;
        running: number;
        waiting: number;
        paused: number;
        completed: number;
        failed: number;
        killed: number;
        expired: number;
        capped: number;
       };
       refused: {
        [key: string]: number;
       };
       nodes: {
        id: string;
        type: string | null;
        entered: number;
        left: number;
        current: number;
        failed: number;
        retried: number;
        capped: number;
        outputs: {
         [key: string]: number;
        };
       }[];
       listeners: {
        id: string;
        matched: number;
        started: number;
        moved: number;
        refused: number;
       }[];
       tasks: {
        id: string;
        fired: number;
        missed: number;
        skipped: number;
        rows: number;
        started: number;
       }[];
      };
     };
    };
   };
  };
 };
 "/scripting/compilables": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     name?: string;
     state?: "draft" | "ready";
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** @enum {unknown} */
       state: "draft" | "ready";
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       value: {
        /** @enum {unknown} */
        type: "pipeline" | "template" | "script";
        parameters: ({
         name: string | null;
         type: ("string" | "number" | "boolean" | "date" | "list" | "object") | null;
         required: boolean;
        } & {
         [key: string]: unknown;
        })[];
       } & {
        [key: string]: unknown;
       };
       preview: {
        arguments: {
         [key: string]: unknown;
        };
        limit: number;
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      state?: unknown;
      stamp?: unknown;
      value?: unknown;
      preview?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** @enum {unknown} */
       state: "draft" | "ready";
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       value: {
        /** @enum {unknown} */
        type: "pipeline" | "template" | "script";
        parameters: ({
         name: string | null;
         type: ("string" | "number" | "boolean" | "date" | "list" | "object") | null;
         required: boolean;
        } & {
         [key: string]: unknown;
        })[];
       } & {
        [key: string]: unknown;
       };
       preview: {
        arguments: {
         [key: string]: unknown;
        };
        limit: number;
       };
      };
     };
    };
   };
  };
 };
 "/scripting/compilables/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** @enum {unknown} */
       state: "draft" | "ready";
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       value: {
        /** @enum {unknown} */
        type: "pipeline" | "template" | "script";
        parameters: ({
         name: string | null;
         type: ("string" | "number" | "boolean" | "date" | "list" | "object") | null;
         required: boolean;
        } & {
         [key: string]: unknown;
        })[];
       } & {
        [key: string]: unknown;
       };
       preview: {
        arguments: {
         [key: string]: unknown;
        };
        limit: number;
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      state?: unknown;
      stamp?: unknown;
      value?: unknown;
      preview?: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** @enum {unknown} */
       state: "draft" | "ready";
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       value: {
        /** @enum {unknown} */
        type: "pipeline" | "template" | "script";
        parameters: ({
         name: string | null;
         type: ("string" | "number" | "boolean" | "date" | "list" | "object") | null;
         required: boolean;
        } & {
         [key: string]: unknown;
        })[];
       } & {
        [key: string]: unknown;
       };
       preview: {
        arguments: {
         [key: string]: unknown;
        };
        limit: number;
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** @enum {unknown} */
       state: "draft" | "ready";
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       value: {
        /** @enum {unknown} */
        type: "pipeline" | "template" | "script";
        parameters: ({
         name: string | null;
         type: ("string" | "number" | "boolean" | "date" | "list" | "object") | null;
         required: boolean;
        } & {
         [key: string]: unknown;
        })[];
       } & {
        [key: string]: unknown;
       };
       preview: {
        arguments: {
         [key: string]: unknown;
        };
        limit: number;
       };
      };
     };
    };
   };
  };
 };
 "/scripting/compilables/{id}/duplication": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       description: string | null;
       /** @enum {unknown} */
       state: "draft" | "ready";
       stamp: {
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        modification: string;
       };
       value: {
        /** @enum {unknown} */
        type: "pipeline" | "template" | "script";
        parameters: ({
         name: string | null;
         type: ("string" | "number" | "boolean" | "date" | "list" | "object") | null;
         required: boolean;
        } & {
         [key: string]: unknown;
        })[];
       } & {
        [key: string]: unknown;
       };
       preview: {
        arguments: {
         [key: string]: unknown;
        };
        limit: number;
       };
      };
     };
    };
   };
  };
 };
 "/scripting/compilables/{id}/flaws": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "syntax" | "missing-export" | "unknown-filter" | "unknown-variable" | "unknown-field" | "unknown-reference" | "type-mismatch" | "missing-setting" | "ambiguous-setting" | "missing-parameter" | "unused-parameter" | "missing-capability" | "forbidden-host" | "flawed-reference" | "not-sendable" | "no-node" | "cycle" | "weights" | "duplicate-entry" | "missing-entry" | "unreachable" | "never-fires" | "goal-as-target" | "recursion" | "limit" | "in-memory";
       /** @enum {unknown} */
       severity: "error" | "warning";
       message: string;
       path: string;
       position?: {
        line: number;
        column: number;
        length: number;
       };
      }[];
     };
    };
   };
  };
 };
 "/scripting/compilables/{id}/execution": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      [key: string]: unknown;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       arguments: {
        [key: string]: unknown;
       };
       value: unknown;
      } | {
       /** @enum {string} */
       type: "error";
       arguments: {
        [key: string]: unknown;
       };
       value: {
        type: string;
        message: string;
       } & {
        [key: string]: unknown;
       };
      };
     };
    };
   };
  };
 };
 "/scripting/compilables/{id}/preview": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      value?: unknown;
      arguments?: {
       [key: string]: unknown;
      };
      limit?: number;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       arguments: {
        [key: string]: unknown;
       };
       value: unknown;
       writes: {
        call: string;
        arguments: unknown[];
       }[];
       plan: {
        sql: number;
        memory: number;
        rowsRead: number;
        durationMs: number;
       };
       logs?: {
        level: string;
        at: number;
        text: string;
       }[];
      } | {
       /** @enum {string} */
       type: "error";
       arguments: {
        [key: string]: unknown;
       };
       value: {
        type: string;
        message: string;
       } & {
        [key: string]: unknown;
       };
       plan: {
        sql: number;
        memory: number;
        rowsRead: number;
        durationMs: number;
       };
       logs?: {
        level: string;
        at: number;
        text: string;
       }[];
      } | {
       /** @enum {string} */
       type: "error";
       flaws: {
        /** @enum {unknown} */
        type: "syntax" | "missing-export" | "unknown-filter" | "unknown-variable" | "unknown-field" | "unknown-reference" | "type-mismatch" | "missing-setting" | "ambiguous-setting" | "missing-parameter" | "unused-parameter" | "missing-capability" | "forbidden-host" | "flawed-reference" | "not-sendable" | "no-node" | "cycle" | "weights" | "duplicate-entry" | "missing-entry" | "unreachable" | "never-fires" | "goal-as-target" | "recursion" | "limit" | "in-memory";
        /** @enum {unknown} */
        severity: "error" | "warning";
        message: string;
        path: string;
        position?: {
         line: number;
         column: number;
         length: number;
        };
       }[];
      };
     };
    };
   };
  };
 };
 "/scripting/webtasks": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     name?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        cpuMs: number;
        wallMs: number;
        logs: boolean;
        public: {
         enabled: boolean;
         methods: ("GET" | "POST")[];
         redirects: string[];
        };
       };
       value: string;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      creationDate?: unknown;
      updateDate?: unknown;
      scripting?: {
       [key: string]: unknown;
      } | null;
      settings?: {
       [key: string]: unknown;
      } | null;
      value?: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        cpuMs: number;
        wallMs: number;
        logs: boolean;
        public: {
         enabled: boolean;
         methods: ("GET" | "POST")[];
         redirects: string[];
        };
       };
       value: string;
      };
     };
    };
   };
  };
 };
 "/scripting/webtasks/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        cpuMs: number;
        wallMs: number;
        logs: boolean;
        public: {
         enabled: boolean;
         methods: ("GET" | "POST")[];
         redirects: string[];
        };
       };
       value: string;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      description?: string | null;
      creationDate?: unknown;
      updateDate?: unknown;
      scripting?: {
       [key: string]: unknown;
      } | null;
      settings?: {
       [key: string]: unknown;
      } | null;
      value?: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        cpuMs: number;
        wallMs: number;
        logs: boolean;
        public: {
         enabled: boolean;
         methods: ("GET" | "POST")[];
         redirects: string[];
        };
       };
       value: string;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       description: string | null;
       /** Format: date-time */
       creationDate: string;
       /** Format: date-time */
       updateDate: string;
       scripting: {
        /** @enum {string} */
        version: "7.0.0";
        environment: {
         capabilities?: string[];
         http?: {
          allow: string[];
         };
         variables?: {
          [key: string]: unknown;
         };
         secrets?: {
          [key: string]: string;
         };
        };
        imports: {
         [key: string]: unknown;
        }[] | null;
        initializers: {
         [key: string]: unknown;
        }[] | null;
        filters: {
         [key: string]: unknown;
        }[] | null;
       };
       settings: {
        cpuMs: number;
        wallMs: number;
        logs: boolean;
        public: {
         enabled: boolean;
         methods: ("GET" | "POST")[];
         redirects: string[];
        };
       };
       value: string;
      };
     };
    };
   };
  };
 };
 "/scripting/webtasks/{id}/script": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       value: string;
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      value: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       value: string;
      };
     };
    };
   };
  };
 };
 "/scripting/webtasks/{id}/cipher": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       value: string;
       url: string | null;
       /** Format: date-time */
       expires: string | null;
      };
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      receiver?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      expires?: unknown;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       value: string;
       url: string | null;
       /** Format: date-time */
       expires: string | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/scripting/webtasks/{id}/execution": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      receiver?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      event?: {
       [key: string]: unknown;
      } | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      cipher?: string | null;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       type: "success";
       id: string;
       value: unknown;
       durationMs: number;
       logs: {
        /** @enum {unknown} */
        level: "info" | "warn" | "error";
        at: number;
        text: string;
       }[];
      } | {
       /** @enum {string} */
       type: "error";
       id: string;
       value: {
        /** @enum {unknown} */
        type: "script" | "timeout" | "memory" | "result" | "capability" | "write" | "recipient not found" | "busy";
        message?: string;
        /** @enum {unknown} */
        limit?: "cpu" | "wall" | "budget";
        position?: {
         line: number;
         column: number;
        };
        stack?: string;
        receiver?: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
        call?: number;
        problem?: {
         [key: string]: unknown;
        };
       } & {
        [key: string]: unknown;
       };
       durationMs: number;
       logs: {
        /** @enum {unknown} */
        level: "info" | "warn" | "error";
        at: number;
        text: string;
       }[];
      };
     };
    };
   };
  };
 };
 "/scripting/webtasks/{id}/executions": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      receiver?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      related?: ({
       /** @enum {string} */
       type: "id";
       value: string;
      } | {
       /** @enum {string} */
       type: "unicity";
       value: string[];
      } | {
       /** @enum {string} */
       type: "hash";
       value: string;
      } | {
       /** @enum {string} */
       type: "footprint";
       id: string;
       unicity?: unknown;
       hash?: unknown;
      }) | null;
      data?: {
       [key: string]: unknown;
      } | null;
      variables?: {
       key: string;
       value: unknown;
      }[] | null;
      event?: {
       [key: string]: unknown;
      } | null;
      stamp?: {
       id?: string | null;
       thread?: string | null;
       set?: string | null;
       time?: number | null;
      } | null;
      cipher?: string | null;
     }[];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
       /** @enum {string} */
       type: "success";
       id: string;
       value: unknown;
       durationMs: number;
       logs: {
        /** @enum {unknown} */
        level: "info" | "warn" | "error";
        at: number;
        text: string;
       }[];
      } | {
       /** @enum {string} */
       type: "error";
       id: string;
       value: {
        /** @enum {unknown} */
        type: "script" | "timeout" | "memory" | "result" | "capability" | "write" | "recipient not found" | "busy";
        message?: string;
        /** @enum {unknown} */
        limit?: "cpu" | "wall" | "budget";
        position?: {
         line: number;
         column: number;
        };
        stack?: string;
        receiver?: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
        call?: number;
        problem?: {
         [key: string]: unknown;
        };
       } & {
        [key: string]: unknown;
       };
       durationMs: number;
       logs: {
        /** @enum {unknown} */
        level: "info" | "warn" | "error";
        at: number;
        text: string;
       }[];
      })[];
     };
    };
   };
  };
 };
 "/scripting/webtasks/{id}/runs": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     start?: string;
     end?: string;
     outcome?: "success" | "error";
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** Format: date-time */
       date: string;
       origin: {
        /** @enum {unknown} */
        type: "api" | "public" | "workflow";
        id?: number;
       };
       /** @enum {unknown} */
       outcome: "success" | "error";
       durationMs: number;
       error: ({
        /** @enum {unknown} */
        type: "script" | "timeout" | "memory" | "result" | "capability" | "write" | "recipient not found" | "busy";
        message?: string;
        /** @enum {unknown} */
        limit?: "cpu" | "wall" | "budget";
        position?: {
         line: number;
         column: number;
        };
        stack?: string;
        receiver?: {
         /** @enum {string} */
         type: "id";
         value: string;
        } | {
         /** @enum {string} */
         type: "unicity";
         value: string[];
        } | {
         /** @enum {string} */
         type: "hash";
         value: string;
        } | {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity?: unknown;
         hash?: unknown;
        };
        call?: number;
        problem?: {
         [key: string]: unknown;
        };
       } & {
        [key: string]: unknown;
       }) | null;
       logs: {
        /** @enum {unknown} */
        level: "info" | "warn" | "error";
        at: number;
        text: string;
       }[];
      }[];
     };
    };
   };
  };
 };
 "/targets/{id}/export": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       contact: {
        id: string;
        hash: string;
        /** Format: date-time */
        creationDate: string;
        /** Format: date-time */
        lastUpdateDate: string;
        fields: {
         [key: string]: string | number | string[] | null;
        };
        bounce?: {
         field: number;
         type: number;
         /** Format: date-time */
         timestamp: string;
         reason: string;
        }[];
        redList?: {
         mail?: {
          /** Format: date-time */
          timestamp: string;
          reason: number;
         };
         sms?: {
          /** Format: date-time */
          timestamp: string;
          reason: number;
         };
        };
       };
       segments: {
        /** @enum {unknown} */
        type: "static" | "dynamic";
        id: number;
        name: string;
        /** Format: date-time */
        creation: string;
        /** Format: date-time */
        expiration: string;
        isTest: boolean;
        targetsCount: number;
        targetsCountDate: string | null;
        parentId: number | null;
        searchId: null;
       }[];
       subscriptions: {
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        application: string;
        provider: {
         /** @enum {unknown} */
         type: "firebase" | "apns" | "http";
         token: string;
        } | {
         /** @enum {string} */
         type: "webpush";
         endpoint: string;
         keys: {
          p256dh: string;
          auth: string;
         };
        };
        contact: {
         /** @enum {string} */
         type: "footprint";
         id: string;
         unicity: string;
         hash: string;
        } | null;
        culture: string | null;
        protocol: string | null;
        muted: {
         global: boolean;
         channels: (string | null)[];
        } | null;
        lifecycle: {
         creation: {
          /** Format: date-time */
          date: string;
          user: {
           id: number;
           name: string;
          } | null;
         };
         modification?: {
          /** Format: date-time */
          date: string;
          user: {
           id: number;
           name: string;
          } | null;
         };
        };
       }[];
       redList: {
        mail?: {
         /** Format: date-time */
         timestamp: string;
         origin: number;
         detail: {
          [key: string]: unknown;
         };
        };
        sms?: {
         /** Format: date-time */
         timestamp: string;
         origin: number;
         detail: {
          [key: string]: unknown;
         };
        };
        removals: {
         /** @enum {unknown} */
         channel: "mail" | "sms";
         /** Format: date-time */
         timestamp: string;
         reason: string;
         key: string | null;
         entry: {
          /** Format: date-time */
          timestamp: string;
          origin: number;
          detail: {
           [key: string]: unknown;
          };
         };
        }[];
       };
       bounces: {
        /** @enum {unknown} */
        type: "validated" | "soft" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam";
        fieldId: number;
        detail: {
         message: string;
        };
        /** Format: date-time */
        timestamp: string;
       }[];
       pressure: {
        /** Format: date-time */
        start: string;
        /** @enum {unknown} */
        channel: "email" | "sms" | "rcs" | "notification";
        /** @enum {unknown} */
        purpose: "marketing" | "service";
        topic: {
         /** Format: uuid */
         id: string;
         label: string;
        } | null;
        count: number;
       }[];
       events: {
        /** @enum {unknown} */
        type: "execution" | "activation" | "cancellation" | "bounce" | "hit" | "complaint" | "reply" | "delivery" | "interaction" | "impression" | "optout";
        /** Format: uuid */
        id: string;
        timestamp: number;
        identity: {
         /** @enum {string} */
         type: "customer";
         agency: string;
         customer: string;
        };
        source: {
         /** @enum {unknown} */
         type: "email" | "sms" | "rcs" | "notification" | "display";
         detail: {
          [key: string]: unknown;
         };
        };
       }[];
       notifications: {
        notification_key: number;
        target: string;
        libelle: string;
        /** Format: date-time */
        activation: string;
        redirection: string | null;
        dismiss: string | null;
        impression: string | null;
        optout: string | null;
        bounce: string | null;
        notification: number;
        /** Format: uuid */
        version: string;
        /** Format: uuid */
        application: string;
        /** Format: uuid */
        subscription: string;
        stamp: {
         time: number;
         /** Format: uuid */
         id: string;
         /** Format: uuid */
         thread: string;
         /** Format: uuid */
         set: string;
        };
        /** Format: date-time */
        date: string;
        title: string | null;
        /** @enum {unknown} */
        state: "bounced" | "opened" | "dismissed" | "optout" | "shown" | "sent";
       }[];
       archives: {
        /** Format: uuid */
        id: string;
        action: string;
        target: string;
        /** Format: uuid */
        stamp: string;
        /** Format: date-time */
        sendingDate: string;
        url: string;
        /** Format: date-time */
        expiresOn: string;
       }[];
       runs: {
        id: string;
        workflow: number;
        version: number;
        status: string;
        reason: string | null;
        outcome: string | null;
        node: string;
        start: {
         type: string;
         id: string | null;
        };
        stamp: {
         time: number;
         id: string;
         thread: string;
         set: string;
        };
        event: {
         [key: string]: unknown;
        } | null;
        data: {
         [key: string]: unknown;
        };
        state: {
         [key: string]: unknown;
        };
        variables: {
         [key: string]: unknown;
        };
        /** Format: date-time */
        creationDate: string;
        /** Format: date-time */
        endDate: string | null;
        trace: unknown[];
       }[];
       webtaskRuns: {
        id: string;
        webtask: number;
        /** Format: date-time */
        date: string;
        /** @enum {unknown} */
        outcome: "success" | "error";
        durationMs: number;
        error: ({
         /** @enum {unknown} */
         type: "script" | "timeout" | "memory" | "result" | "capability" | "write" | "recipient not found" | "busy";
         message?: string;
         /** @enum {unknown} */
         limit?: "cpu" | "wall" | "budget";
         position?: {
          line: number;
          column: number;
         };
         stack?: string;
         receiver?: {
          /** @enum {string} */
          type: "id";
          value: string;
         } | {
          /** @enum {string} */
          type: "unicity";
          value: string[];
         } | {
          /** @enum {string} */
          type: "hash";
          value: string;
         } | {
          /** @enum {string} */
          type: "footprint";
          id: string;
          unicity?: unknown;
          hash?: unknown;
         };
         call?: number;
         problem?: {
          [key: string]: unknown;
         };
        } & {
         [key: string]: unknown;
        }) | null;
        logs: {
         /** @enum {unknown} */
         level: "info" | "warn" | "error";
         at: number;
         text: string;
        }[];
       }[];
       /** Format: date-time */
       exportDate: string;
      };
     };
    };
   };
  };
 };
 "/approvals": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
     state?: "waiting" | "approved" | "refused" | "stale";
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** @enum {unknown} */
       state: "waiting" | "approved" | "refused" | "stale";
       object: {
        /** @enum {unknown} */
        type: "action" | "rcs" | "notification" | "workflow";
        id: string | number;
        name: string;
       };
       version: string;
       audience: number | null;
       comment: string | null;
       askedBy: {
        /** @enum {unknown} */
        type: "person" | "key" | "system" | "command";
        id: string | null;
        name: string;
       };
       /** Format: date-time */
       askedAt: string;
       decision: {
        by: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        };
        /** Format: date-time */
        at: string;
        comment: string | null;
       } | null;
       outcome: ("running" | "done" | "failed") | null;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      type: "action" | "rcs" | "notification" | "workflow";
      id: string | number;
      comment?: string | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** @enum {unknown} */
       state: "waiting" | "approved" | "refused" | "stale";
       object: {
        /** @enum {unknown} */
        type: "action" | "rcs" | "notification" | "workflow";
        id: string | number;
        name: string;
       };
       version: string;
       audience: number | null;
       comment: string | null;
       askedBy: {
        /** @enum {unknown} */
        type: "person" | "key" | "system" | "command";
        id: string | null;
        name: string;
       };
       /** Format: date-time */
       askedAt: string;
       decision: {
        by: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        };
        /** Format: date-time */
        at: string;
        comment: string | null;
       } | null;
       outcome: ("running" | "done" | "failed") | null;
      };
     };
    };
   };
  };
 };
 "/approvals/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** @enum {unknown} */
       state: "waiting" | "approved" | "refused" | "stale";
       object: {
        /** @enum {unknown} */
        type: "action" | "rcs" | "notification" | "workflow";
        id: string | number;
        name: string;
       };
       version: string;
       audience: number | null;
       comment: string | null;
       askedBy: {
        /** @enum {unknown} */
        type: "person" | "key" | "system" | "command";
        id: string | null;
        name: string;
       };
       /** Format: date-time */
       askedAt: string;
       decision: {
        by: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        };
        /** Format: date-time */
        at: string;
        comment: string | null;
       } | null;
       outcome: ("running" | "done" | "failed") | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/approvals/{id}/decision": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {unknown} */
      decision: "approve" | "refuse";
      comment?: string | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       /** @enum {unknown} */
       state: "waiting" | "approved" | "refused" | "stale";
       object: {
        /** @enum {unknown} */
        type: "action" | "rcs" | "notification" | "workflow";
        id: string | number;
        name: string;
       };
       version: string;
       audience: number | null;
       comment: string | null;
       askedBy: {
        /** @enum {unknown} */
        type: "person" | "key" | "system" | "command";
        id: string | null;
        name: string;
       };
       /** Format: date-time */
       askedAt: string;
       decision: {
        by: {
         /** @enum {unknown} */
         type: "person" | "key" | "system" | "command";
         id: string | null;
         name: string;
        };
        /** Format: date-time */
        at: string;
        comment: string | null;
       } | null;
       outcome: ("running" | "done" | "failed") | null;
      };
     };
    };
   };
  };
 };
 "/samples": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: date-time */
       creationDate: string;
       contacts: string[];
       fields: number[];
       segments: number[];
       actions: string[];
      };
     };
    };
   };
  };
  post: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: date-time */
       creationDate: string;
       contacts: string[];
       fields: number[];
       segments: number[];
       actions: string[];
      };
     };
    };
   };
  };
  delete: {
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/overview": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       running: {
        /** @enum {unknown} */
        type: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign" | "rcsMessage" | "rcsCampaign" | "notification" | "workflow" | "import" | "job";
        id: string | number;
        name: string | null;
        /** @enum {unknown} */
        state: "testing" | "validating" | "sending" | "paused" | "running" | "queued" | "active";
        /** Format: date-time */
        since: string | null;
        progress: {
         done: number;
         total: number | null;
        } | null;
       }[];
       planned: {
        /** @enum {unknown} */
        type: "mailCampaign" | "smsCampaign" | "rcsCampaign" | "notification";
        id: string | number;
        name: string | null;
        /** Format: date-time */
        startDate: string | null;
       }[];
       approvals: {
        /** Format: uuid */
        id: string;
        /** @enum {unknown} */
        type: "action" | "rcs" | "notification" | "workflow";
        object: string | number;
        name: string | null;
        askedBy: string | null;
        /** Format: date-time */
        date: string;
        comment: string | null;
       }[];
       failed: {
        /** @enum {unknown} */
        type: "mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign" | "rcsMessage" | "rcsCampaign" | "workflow" | "import" | "job" | "webhook";
        id: string | number;
        name: string | null;
        /** Format: date-time */
        date: string | null;
        detail: string;
       }[];
       campaigns: {
        /** @enum {unknown} */
        type: "mailCampaign" | "smsCampaign" | "rcsCampaign";
        id: string | number;
        name: string | null;
        state: number;
        /** Format: date-time */
        startDate: string;
        report: {
         audience: number | null;
         sent: number;
         refused: number | null;
         held: number | null;
         cancelled: number | null;
         pending: number | null;
         opens: {
          human: number;
          machine: number;
          contacts: number;
         };
         clicks: {
          human: number;
          machine: number;
          contacts: number;
         };
         unsubscribes: number;
         complaints: number;
         replies: number;
         bounces: number;
        };
       }[];
       /** Format: date-time */
       date: string;
      };
     };
    };
   };
  };
 };
 "/campaigns/results": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       items: number;
       totals: {
        sent: number;
        impressions: number;
        opens: {
         human: number;
         machine: number;
        };
        clicks: {
         human: number;
         machine: number;
        };
        unsubscribes: number;
        complaints: number;
        replies: number;
        bounces: number;
       };
       /** Format: date-time */
       lastSending: string | null;
      }[];
     };
    };
   };
  };
 };
 "/campaigns/{id}/results": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       items: {
        /** @enum {unknown} */
        type: "email" | "sms" | "rcs" | "notification" | "workflow" | "display";
        id: string | number;
        kind: ("mailMessage" | "mailCampaign" | "smsMessage" | "smsCampaign" | "rcsMessage" | "rcsCampaign") | null;
        name: string;
        state: number | null;
        paused: boolean;
        active: boolean | null;
        /** Format: date-time */
        startDate: string | null;
        report: {
         audience: number | null;
         sent: number;
         refused: number | null;
         held: number | null;
         cancelled: number | null;
         pending: number | null;
         opens: {
          human: number;
          machine: number;
          contacts: number;
         };
         clicks: {
          human: number;
          machine: number;
          contacts: number;
         };
         unsubscribes: number;
         complaints: number;
         replies: number;
         bounces: number;
        } | null;
        display: {
         impressions: {
          human: number;
          machine: number;
          contacts: number;
         };
         clicks: {
          human: number;
          machine: number;
          contacts: number;
         };
        } | null;
       }[];
       totals: {
        sent: number;
        impressions: number;
        opens: {
         human: number;
         machine: number;
        };
        clicks: {
         human: number;
         machine: number;
        };
        unsubscribes: number;
        complaints: number;
        replies: number;
        bounces: number;
       };
       /** Format: date-time */
       lastSending: string | null;
      };
     };
    };
   };
  };
 };
 "/m/{hash}/{name}": {
  get: {
   parameters: {
    path: {
     hash: string;
     name: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/auth/setup": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      token: string;
      email: string;
      name: string;
      password: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       state: "done" | "second-factor";
       methods?: ("code" | "recovery" | "passkey")[];
      };
     };
    };
   };
  };
 };
 "/auth/sign-in": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      email: string;
      password: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       state: "done" | "second-factor";
       methods?: ("code" | "recovery" | "passkey")[];
      };
     };
    };
   };
  };
 };
 "/auth/passkey": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      passkey: {
       id: string;
       rawId: string;
       /** @enum {string} */
       type: "public-key";
       response: {
        [key: string]: unknown;
       };
       clientExtensionResults?: {
        [key: string]: unknown;
       };
       authenticatorAttachment?: string;
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       state: "done" | "second-factor";
       methods?: ("code" | "recovery" | "passkey")[];
      };
     };
    };
   };
  };
 };
 "/auth/passkey/options": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": {
       [key: string]: unknown;
      };
     };
    };
   };
  };
 };
 "/auth/second-factor": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      code?: string;
      recovery?: string;
      passkey?: {
       id: string;
       rawId: string;
       /** @enum {string} */
       type: "public-key";
       response: {
        [key: string]: unknown;
       };
       clientExtensionResults?: {
        [key: string]: unknown;
       };
       authenticatorAttachment?: string;
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       state: "done" | "second-factor";
       methods?: ("code" | "recovery" | "passkey")[];
      };
     };
    };
   };
  };
 };
 "/auth/reset": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      email: string;
     };
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/auth/reset/{token}": {
  post: {
   parameters: {
    path: {
     token: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      password: string;
     };
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/auth/invitations/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       email: string;
       account: {
        code: string;
        name: string;
       };
       /** @enum {string} */
       role: "viewer" | "author" | "sender" | "admin";
       /** Format: date-time */
       expiresAt: string;
       known: boolean;
      };
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     token: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      name?: string | null;
      password?: string | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {string} */
       state: "done" | "second-factor";
       methods?: ("code" | "recovery" | "passkey")[];
      };
     };
    };
   };
  };
 };
 "/auth/oidc": {
  get: {
   parameters: {
    query?: {
     to?: string;
    };
   };
   responses: {
    302: {
     content?: never;
    };
   };
  };
 };
 "/auth/oidc/callback": {
  get: {
   responses: {
    302: {
     content?: never;
    };
   };
  };
 };
 "/auth/sign-out": {
  post: {
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/auth/sessions": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       current: boolean;
       browser: string;
       address: string;
       /** Format: date-time */
       createdAt: string;
       /** Format: date-time */
       lastUsedAt: string;
      }[];
     };
    };
   };
  };
 };
 "/auth/sessions/{id}": {
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/auth/confirm": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      password?: string;
      passkey?: {
       id: string;
       rawId: string;
       /** @enum {string} */
       type: "public-key";
       response: {
        [key: string]: unknown;
       };
       clientExtensionResults?: {
        [key: string]: unknown;
       };
       authenticatorAttachment?: string;
      };
     };
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/me": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       person?: {
        /** Format: uuid */
        id: string;
        email: string;
        name: string;
        /** @enum {string} */
        locale: "en" | "fr";
        active: boolean;
        /** @enum {string} */
        secondFactor: "none" | "totp" | "passkey";
        operator: boolean;
        /** Format: date-time */
        createdAt: string;
        lastSignInAt: string | null;
        memberships: {
         account: string;
         /** @enum {string} */
         role: "viewer" | "author" | "sender" | "admin";
        }[];
       };
       key?: {
        id: number;
        name: string;
       };
       account: {
        code: string;
        name: string;
       } | null;
       rights: ("read" | "write" | "send" | "admin")[];
       masked: boolean;
       approval: boolean;
       secondFactorRequired: boolean;
       confirmedUntil: string | null;
       accounts: {
        code: string;
        name: string;
        role: ("viewer" | "author" | "sender" | "admin") | null;
       }[];
      };
     };
    };
   };
  };
  put: {
   requestBody: {
    content: {
     "application/json": {
      name?: string;
      /** @enum {string} */
      locale?: "en" | "fr";
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       email: string;
       name: string;
       /** @enum {string} */
       locale: "en" | "fr";
       active: boolean;
       /** @enum {string} */
       secondFactor: "none" | "totp" | "passkey";
       operator: boolean;
       /** Format: date-time */
       createdAt: string;
       lastSignInAt: string | null;
       memberships: {
        account: string;
        /** @enum {string} */
        role: "viewer" | "author" | "sender" | "admin";
       }[];
      };
     };
    };
   };
  };
 };
 "/me/password": {
  put: {
   requestBody: {
    content: {
     "application/json": {
      old: string;
      new: string;
     };
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/me/totp": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      code?: string;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       secret?: string;
       uri?: string;
       recovery?: string[];
      };
     };
    };
   };
  };
  delete: {
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/me/recovery": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": {
       recovery: string[];
      };
     };
    };
   };
  };
 };
 "/me/passkeys": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       name: string;
       /** Format: date-time */
       createdAt: string;
       lastUsedAt: string | null;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      name?: string;
      passkey?: {
       id: string;
       rawId: string;
       /** @enum {string} */
       type: "public-key";
       response: {
        [key: string]: unknown;
       };
       clientExtensionResults?: {
        [key: string]: unknown;
       };
       authenticatorAttachment?: string;
      };
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       options?: {
        [key: string]: unknown;
       };
       passkey?: {
        /** Format: uuid */
        id: string;
        name: string;
        /** Format: date-time */
        createdAt: string;
        lastUsedAt: string | null;
       };
      };
     };
    };
   };
  };
 };
 "/me/passkeys/{id}": {
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/people/invitations": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       email: string;
       /** @enum {string} */
       role: "viewer" | "author" | "sender" | "admin";
       /** Format: date-time */
       createdAt: string;
       /** Format: date-time */
       expiresAt: string;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      email: string;
      /** @enum {string} */
      role: "viewer" | "author" | "sender" | "admin";
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       email: string;
       /** @enum {string} */
       role: "viewer" | "author" | "sender" | "admin";
       /** Format: date-time */
       createdAt: string;
       /** Format: date-time */
       expiresAt: string;
       link?: string;
      };
     };
    };
   };
  };
 };
 "/people/invitations/{id}": {
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/people": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       email: string;
       name: string;
       /** @enum {string} */
       locale: "en" | "fr";
       active: boolean;
       /** @enum {string} */
       secondFactor: "none" | "totp" | "passkey";
       operator: boolean;
       /** Format: date-time */
       createdAt: string;
       lastSignInAt: string | null;
       memberships: {
        account: string;
        /** @enum {string} */
        role: "viewer" | "author" | "sender" | "admin";
       }[];
      }[];
     };
    };
   };
  };
 };
 "/people/{id}": {
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {string} */
      role?: "viewer" | "author" | "sender" | "admin";
      active?: boolean;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** Format: uuid */
       id: string;
       email: string;
       name: string;
       /** @enum {string} */
       locale: "en" | "fr";
       active: boolean;
       /** @enum {string} */
       secondFactor: "none" | "totp" | "passkey";
       operator: boolean;
       /** Format: date-time */
       createdAt: string;
       lastSignInAt: string | null;
       memberships: {
        account: string;
        /** @enum {string} */
        role: "viewer" | "author" | "sender" | "admin";
       }[];
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/keys": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       rights: ("read" | "write" | "send" | "admin")[];
       /** Format: date-time */
       createdAt: string;
       expiresAt: string | null;
       lastUsedAt: string | null;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      name: string;
      rights: ("read" | "write" | "send" | "admin")[];
      expires?: string | number | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       rights: ("read" | "write" | "send" | "admin")[];
       /** Format: date-time */
       createdAt: string;
       expiresAt: string | null;
       lastUsedAt: string | null;
       key: string;
      };
     };
    };
   };
  };
 };
 "/keys/{id}": {
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/accounts": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       code: string;
       name: string;
       /** Format: date-time */
       createdAt: string;
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      code: string;
      name: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       code: string;
       name: string;
       /** Format: date-time */
       createdAt: string;
      };
     };
    };
   };
  };
 };
 "/accounts/{code}": {
  put: {
   parameters: {
    path: {
     code: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      name?: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       code: string;
       name: string;
       /** Format: date-time */
       createdAt: string;
      };
     };
    };
   };
  };
 };
 "/imports": {
  get: {
   parameters: {
    query?: {
     limit?: number;
     after?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       /** Format: date-time */
       creationDate: string;
       updateDate: string | null;
       binding: number | null;
       features: ({
        /** @enum {string} */
        type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
       } & {
        [key: string]: unknown;
       })[];
       source: {
        /** @enum {unknown} */
        type: "file" | "ftp";
        id: number | null;
        /** Format: date-time */
        creationDate: string;
        updateDate: string | null;
        filename: string | null;
        folder?: string;
        templateFilename?: string;
       };
       scheduler?: {
        type: string;
       } & {
        [key: string]: unknown;
       };
      }[];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      creationDate?: unknown;
      updateDate?: unknown;
      binding?: number | null;
      features?: ({
       /** @enum {string} */
       type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
      } & ({
       /** @enum {string} */
       type: "segmentation";
       segmentId: number;
       emptyExisitingSegment?: boolean;
       emptyExistingSegment?: boolean;
      } | {
       /** @enum {string} */
       type: "redList";
       destination: {
        mail?: boolean;
        sms?: boolean;
        email?: boolean;
       };
      } | {
       /** @enum {string} */
       type: "duplicate";
       rules?: {
        first?: boolean;
        ignore?: boolean;
        last?: boolean;
       };
      } | {
       /** @enum {string} */
       type: "report";
       sendFinalReport?: boolean;
       sendErrorReport?: boolean;
       contactGuids?: string[];
       groupIds?: number[];
      } | {
       /** @enum {string} */
       type: "database";
       updateExisting?: boolean;
       crushData?: boolean;
      } | {
       /** @enum {string} */
       type: "normalization";
       fields?: {
        [key: string]: string[];
       };
      } | {
       /** @enum {string} */
       type: "columns";
       header?: boolean;
       fields: {
        column: string | number;
        field: number | null;
       }[];
      } | {
       /** @enum {string} */
       type: "statuses";
       column?: string | number | null;
       file?: boolean | null;
       map: {
        [key: string]: ("redList" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam") | null;
       };
       field?: number | null;
       also?: {
        column?: string | number | null;
        file?: boolean | null;
        map: {
         [key: string]: ("redList" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam") | null;
        };
        field?: number | null;
       }[];
      }))[];
      source?: {
       /** @enum {unknown} */
       type?: "file" | "ftp";
       id?: unknown;
       creationDate?: unknown;
       updateDate?: unknown;
       filename?: string | null;
       data?: string | {
        [key: string]: unknown;
       }[] | null;
       folder?: string;
       templateFilename?: string;
      };
      scheduler?: {
       [key: string]: unknown;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       /** Format: date-time */
       creationDate: string;
       updateDate: string | null;
       binding: number | null;
       features: ({
        /** @enum {string} */
        type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
       } & {
        [key: string]: unknown;
       })[];
       source: {
        /** @enum {unknown} */
        type: "file" | "ftp";
        id: number | null;
        /** Format: date-time */
        creationDate: string;
        updateDate: string | null;
        filename: string | null;
        folder?: string;
        templateFilename?: string;
       };
       scheduler?: {
        type: string;
       } & {
        [key: string]: unknown;
       };
      };
     };
    };
   };
  };
 };
 "/imports/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       /** Format: date-time */
       creationDate: string;
       updateDate: string | null;
       binding: number | null;
       features: ({
        /** @enum {string} */
        type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
       } & {
        [key: string]: unknown;
       })[];
       source: {
        /** @enum {unknown} */
        type: "file" | "ftp";
        id: number | null;
        /** Format: date-time */
        creationDate: string;
        updateDate: string | null;
        filename: string | null;
        folder?: string;
        templateFilename?: string;
       };
       scheduler?: {
        type: string;
       } & {
        [key: string]: unknown;
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      id?: unknown;
      name?: string;
      creationDate?: unknown;
      updateDate?: unknown;
      binding?: number | null;
      features?: ({
       /** @enum {string} */
       type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
      } & ({
       /** @enum {string} */
       type: "segmentation";
       segmentId: number;
       emptyExisitingSegment?: boolean;
       emptyExistingSegment?: boolean;
      } | {
       /** @enum {string} */
       type: "redList";
       destination: {
        mail?: boolean;
        sms?: boolean;
        email?: boolean;
       };
      } | {
       /** @enum {string} */
       type: "duplicate";
       rules?: {
        first?: boolean;
        ignore?: boolean;
        last?: boolean;
       };
      } | {
       /** @enum {string} */
       type: "report";
       sendFinalReport?: boolean;
       sendErrorReport?: boolean;
       contactGuids?: string[];
       groupIds?: number[];
      } | {
       /** @enum {string} */
       type: "database";
       updateExisting?: boolean;
       crushData?: boolean;
      } | {
       /** @enum {string} */
       type: "normalization";
       fields?: {
        [key: string]: string[];
       };
      } | {
       /** @enum {string} */
       type: "columns";
       header?: boolean;
       fields: {
        column: string | number;
        field: number | null;
       }[];
      } | {
       /** @enum {string} */
       type: "statuses";
       column?: string | number | null;
       file?: boolean | null;
       map: {
        [key: string]: ("redList" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam") | null;
       };
       field?: number | null;
       also?: {
        column?: string | number | null;
        file?: boolean | null;
        map: {
         [key: string]: ("redList" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam") | null;
        };
        field?: number | null;
       }[];
      }))[];
      source?: {
       /** @enum {unknown} */
       type?: "file" | "ftp";
       id?: unknown;
       creationDate?: unknown;
       updateDate?: unknown;
       filename?: string | null;
       data?: string | {
        [key: string]: unknown;
       }[] | null;
       folder?: string;
       templateFilename?: string;
      };
      scheduler?: {
       [key: string]: unknown;
      } | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: number;
       name: string;
       /** Format: date-time */
       creationDate: string;
       updateDate: string | null;
       binding: number | null;
       features: ({
        /** @enum {string} */
        type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
       } & {
        [key: string]: unknown;
       })[];
       source: {
        /** @enum {unknown} */
        type: "file" | "ftp";
        id: number | null;
        /** Format: date-time */
        creationDate: string;
        updateDate: string | null;
        filename: string | null;
        folder?: string;
        templateFilename?: string;
       };
       scheduler?: {
        type: string;
       } & {
        [key: string]: unknown;
       };
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content?: never;
    };
   };
  };
 };
 "/imports/{id}/source": {
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {unknown} */
       type: "file" | "ftp";
       id: number | null;
       /** Format: date-time */
       creationDate: string;
       updateDate: string | null;
       filename: string | null;
       folder?: string;
       templateFilename?: string;
      };
     };
    };
   };
  };
 };
 "/imports/preview": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": {
       files: string[];
       encoding: string;
       separator: number;
       columns: {
        index: number;
        heading: string | null;
        field: number | null;
       }[];
       lines: string[][];
       vendor: ("mailchimp" | "brevo" | "sendgrid" | "mailjet" | "hubspot") | null;
       mapping: {
        binding: null;
        features: ({
         /** @enum {string} */
         type: "segmentation" | "redList" | "duplicate" | "report" | "database" | "normalization" | "columns" | "statuses";
        } & ({
         /** @enum {string} */
         type: "segmentation";
         segmentId: number;
         emptyExisitingSegment?: boolean;
         emptyExistingSegment?: boolean;
        } | {
         /** @enum {string} */
         type: "redList";
         destination: {
          mail?: boolean;
          sms?: boolean;
          email?: boolean;
         };
        } | {
         /** @enum {string} */
         type: "duplicate";
         rules?: {
          first?: boolean;
          ignore?: boolean;
          last?: boolean;
         };
        } | {
         /** @enum {string} */
         type: "report";
         sendFinalReport?: boolean;
         sendErrorReport?: boolean;
         contactGuids?: string[];
         groupIds?: number[];
        } | {
         /** @enum {string} */
         type: "database";
         updateExisting?: boolean;
         crushData?: boolean;
        } | {
         /** @enum {string} */
         type: "normalization";
         fields?: {
          [key: string]: string[];
         };
        } | {
         /** @enum {string} */
         type: "columns";
         header?: boolean;
         fields: {
          column: string | number;
          field: number | null;
         }[];
        } | {
         /** @enum {string} */
         type: "statuses";
         column?: string | number | null;
         file?: boolean | null;
         map: {
          [key: string]: ("redList" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam") | null;
         };
         field?: number | null;
         also?: {
          column?: string | number | null;
          file?: boolean | null;
          map: {
           [key: string]: ("redList" | "hardDomain" | "hardUser" | "hardOther" | "hardRules" | "reportAsSpam") | null;
          };
          field?: number | null;
         }[];
        }))[];
       };
      };
     };
    };
   };
  };
 };
 "/actions/{id}/targets/{targetId}": {
  /** @deprecated */
  post: {
   parameters: {
    path: {
     id: string;
     targetId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      data?: {
       [key: string]: unknown;
      } | null;
      content?: {
       html?: string | null;
       text?: string | null;
      } | null;
      header?: {
       subject?: string | null;
       mailFrom?: string | null;
       /** Format: email */
       replyTo?: string | null;
      } | null;
      views?: {
       subject?: string | null;
       html?: string | null;
       text?: string | null;
       fromLabel?: string | null;
       fromPrefix?: string | null;
       /** Format: email */
       replyTo?: string | null;
      } | null;
      cc?: string[] | null;
      bcc?: string[] | null;
      attachments?: {
       name: string;
       mime: string;
       data: {
        /** @enum {unknown} */
        type: "base64" | "url";
        value: string;
       };
      }[];
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": string;
     };
    };
    204: {
     content?: never;
    };
   };
  };
 };
 "/w/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
  post: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/t/r/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/t/r/{token}/{target}": {
  get: {
   parameters: {
    path: {
     token: string;
     target: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/s/{code}": {
  get: {
   parameters: {
    path: {
     code: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/t/o/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/t/h/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/t/m/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/t/preview": {
  get: {
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/t/u/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
  post: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/t/f/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
  post: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/d/{token}.gif": {
  get: {
   parameters: {
    query?: {
     r?: unknown;
     consent?: unknown;
    };
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/d/{token}": {
  get: {
   parameters: {
    query?: {
     r?: unknown;
     consent?: unknown;
    };
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/hit/{agency}/{customer}/{message}/link/{token}": {
  get: {
   parameters: {
    path: {
     agency: string;
     customer: string;
     message: string;
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/api/v1.0/{agency}/{customer}/subscriptions": {
  put: {
   parameters: {
    path: {
     agency: string;
     customer: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/api/v1.0/{agency}/{customer}/telemetry": {
  put: {
   parameters: {
    path: {
     agency: string;
     customer: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
  post: {
   parameters: {
    path: {
     agency: string;
     customer: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/hooks/sms/{token}": {
  get: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
  post: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
 "/hooks/rcs/{token}": {
  post: {
   parameters: {
    path: {
     token: string;
    };
   };
   responses: {
    200: {
     content?: never;
    };
   };
  };
 };
}
export type webhooks = Record<string, never>;
export interface components {
 schemas: {
  /** Design */
  Design: {
   /** @enum {number} */
   version: 1;
   language?: string;
   title?: string;
   preheader?: string;
   theme: {
    width: number;
    colours: {
     background: string;
     surface: string;
     tinted: string;
     text: string;
     muted: string;
     accent: string;
     onAccent: string;
     line: string;
    };
    fonts: {
     /** @enum {unknown} */
     heading: "sans" | "serif" | "rounded" | "mono";
     /** @enum {unknown} */
     body: "sans" | "serif" | "rounded" | "mono";
    };
    dark: {
     background: string;
     surface: string;
     tinted: string;
     text: string;
     muted: string;
     accent: string;
     onAccent: string;
     line: string;
    } | null;
    radius?: number;
   };
   rows: {
    id?: string;
    columns: number[];
    blocks: ({
     /** @enum {string} */
     type: "text" | "heading" | "image" | "button" | "divider" | "spacer" | "header" | "footer" | "social" | "product" | "html" | "columns";
    } & ({
     /** @enum {string} */
     type: "text";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     text: {
      /** @enum {string} */
      type: "doc";
      content: ({
       /** @enum {string} */
       type: "paragraph" | "bulletList" | "orderedList";
      } & ({
       /** @enum {string} */
       type: "paragraph";
       attrs?: {
        /** @enum {unknown} */
        align?: "left" | "center" | "right";
       };
       content?: ({
        /** @enum {string} */
        type: "text" | "value" | "hardBreak";
       } & ({
        /** @enum {string} */
        type: "text";
        text: string;
        marks?: ({
         /** @enum {string} */
         type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
        } & ({
         /** @enum {string} */
         type: "bold";
        } | {
         /** @enum {string} */
         type: "italic";
        } | {
         /** @enum {string} */
         type: "underline";
        } | {
         /** @enum {string} */
         type: "strike";
        } | {
         /** @enum {string} */
         type: "colour";
         attrs: {
          colour: string;
         };
        } | {
         /** @enum {string} */
         type: "link";
         attrs: {
          href: string;
          name?: string;
         };
        }))[];
       } | {
        /** @enum {string} */
        type: "value";
        attrs: {
         code: string;
        };
        marks?: ({
         /** @enum {string} */
         type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
        } & ({
         /** @enum {string} */
         type: "bold";
        } | {
         /** @enum {string} */
         type: "italic";
        } | {
         /** @enum {string} */
         type: "underline";
        } | {
         /** @enum {string} */
         type: "strike";
        } | {
         /** @enum {string} */
         type: "colour";
         attrs: {
          colour: string;
         };
        } | {
         /** @enum {string} */
         type: "link";
         attrs: {
          href: string;
          name?: string;
         };
        }))[];
       } | {
        /** @enum {string} */
        type: "hardBreak";
       }))[];
      } | {
       /** @enum {string} */
       type: "bulletList";
       content: {
        /** @enum {string} */
        type: "listItem";
        content: {
         /** @enum {string} */
         type: "paragraph";
         attrs?: {
          /** @enum {unknown} */
          align?: "left" | "center" | "right";
         };
         content?: ({
          /** @enum {string} */
          type: "text" | "value" | "hardBreak";
         } & ({
          /** @enum {string} */
          type: "text";
          text: string;
          marks?: ({
           /** @enum {string} */
           type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
          } & ({
           /** @enum {string} */
           type: "bold";
          } | {
           /** @enum {string} */
           type: "italic";
          } | {
           /** @enum {string} */
           type: "underline";
          } | {
           /** @enum {string} */
           type: "strike";
          } | {
           /** @enum {string} */
           type: "colour";
           attrs: {
            colour: string;
           };
          } | {
           /** @enum {string} */
           type: "link";
           attrs: {
            href: string;
            name?: string;
           };
          }))[];
         } | {
          /** @enum {string} */
          type: "value";
          attrs: {
           code: string;
          };
          marks?: ({
           /** @enum {string} */
           type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
          } & ({
           /** @enum {string} */
           type: "bold";
          } | {
           /** @enum {string} */
           type: "italic";
          } | {
           /** @enum {string} */
           type: "underline";
          } | {
           /** @enum {string} */
           type: "strike";
          } | {
           /** @enum {string} */
           type: "colour";
           attrs: {
            colour: string;
           };
          } | {
           /** @enum {string} */
           type: "link";
           attrs: {
            href: string;
            name?: string;
           };
          }))[];
         } | {
          /** @enum {string} */
          type: "hardBreak";
         }))[];
        }[];
       }[];
      } | {
       /** @enum {string} */
       type: "orderedList";
       content: {
        /** @enum {string} */
        type: "listItem";
        content: {
         /** @enum {string} */
         type: "paragraph";
         attrs?: {
          /** @enum {unknown} */
          align?: "left" | "center" | "right";
         };
         content?: ({
          /** @enum {string} */
          type: "text" | "value" | "hardBreak";
         } & ({
          /** @enum {string} */
          type: "text";
          text: string;
          marks?: ({
           /** @enum {string} */
           type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
          } & ({
           /** @enum {string} */
           type: "bold";
          } | {
           /** @enum {string} */
           type: "italic";
          } | {
           /** @enum {string} */
           type: "underline";
          } | {
           /** @enum {string} */
           type: "strike";
          } | {
           /** @enum {string} */
           type: "colour";
           attrs: {
            colour: string;
           };
          } | {
           /** @enum {string} */
           type: "link";
           attrs: {
            href: string;
            name?: string;
           };
          }))[];
         } | {
          /** @enum {string} */
          type: "value";
          attrs: {
           code: string;
          };
          marks?: ({
           /** @enum {string} */
           type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
          } & ({
           /** @enum {string} */
           type: "bold";
          } | {
           /** @enum {string} */
           type: "italic";
          } | {
           /** @enum {string} */
           type: "underline";
          } | {
           /** @enum {string} */
           type: "strike";
          } | {
           /** @enum {string} */
           type: "colour";
           attrs: {
            colour: string;
           };
          } | {
           /** @enum {string} */
           type: "link";
           attrs: {
            href: string;
            name?: string;
           };
          }))[];
         } | {
          /** @enum {string} */
          type: "hardBreak";
         }))[];
        }[];
       }[];
      }))[];
     };
     size?: number;
     /** @enum {unknown} */
     tone?: "normal" | "muted";
    } | {
     /** @enum {string} */
     type: "heading";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     text: string;
     level?: number;
     /** @enum {unknown} */
     align?: "left" | "center" | "right";
    } | {
     /** @enum {string} */
     type: "image";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     src: string;
     alt: string;
     isDecoration?: boolean;
     href?: string;
     width?: number;
     /** @enum {unknown} */
     align?: "left" | "center" | "right";
     radius?: number;
    } | {
     /** @enum {string} */
     type: "button";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     text: string;
     href: string;
     /** @enum {unknown} */
     align?: "left" | "center" | "right";
     /** @enum {unknown} */
     kind?: "filled" | "outlined";
     isWide?: boolean;
    } | {
     /** @enum {string} */
     type: "divider";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
    } | {
     /** @enum {string} */
     type: "spacer";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     height: number;
    } | {
     /** @enum {string} */
     type: "header";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     name: string;
     logo?: {
      src: string;
      alt: string;
      width: number;
     } | null;
     href?: string;
     /** @enum {unknown} */
     align?: "left" | "center" | "right";
    } | {
     /** @enum {string} */
     type: "footer";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     text?: {
      /** @enum {string} */
      type: "doc";
      content: ({
       /** @enum {string} */
       type: "paragraph" | "bulletList" | "orderedList";
      } & ({
       /** @enum {string} */
       type: "paragraph";
       attrs?: {
        /** @enum {unknown} */
        align?: "left" | "center" | "right";
       };
       content?: ({
        /** @enum {string} */
        type: "text" | "value" | "hardBreak";
       } & ({
        /** @enum {string} */
        type: "text";
        text: string;
        marks?: ({
         /** @enum {string} */
         type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
        } & ({
         /** @enum {string} */
         type: "bold";
        } | {
         /** @enum {string} */
         type: "italic";
        } | {
         /** @enum {string} */
         type: "underline";
        } | {
         /** @enum {string} */
         type: "strike";
        } | {
         /** @enum {string} */
         type: "colour";
         attrs: {
          colour: string;
         };
        } | {
         /** @enum {string} */
         type: "link";
         attrs: {
          href: string;
          name?: string;
         };
        }))[];
       } | {
        /** @enum {string} */
        type: "value";
        attrs: {
         code: string;
        };
        marks?: ({
         /** @enum {string} */
         type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
        } & ({
         /** @enum {string} */
         type: "bold";
        } | {
         /** @enum {string} */
         type: "italic";
        } | {
         /** @enum {string} */
         type: "underline";
        } | {
         /** @enum {string} */
         type: "strike";
        } | {
         /** @enum {string} */
         type: "colour";
         attrs: {
          colour: string;
         };
        } | {
         /** @enum {string} */
         type: "link";
         attrs: {
          href: string;
          name?: string;
         };
        }))[];
       } | {
        /** @enum {string} */
        type: "hardBreak";
       }))[];
      } | {
       /** @enum {string} */
       type: "bulletList";
       content: {
        /** @enum {string} */
        type: "listItem";
        content: {
         /** @enum {string} */
         type: "paragraph";
         attrs?: {
          /** @enum {unknown} */
          align?: "left" | "center" | "right";
         };
         content?: ({
          /** @enum {string} */
          type: "text" | "value" | "hardBreak";
         } & ({
          /** @enum {string} */
          type: "text";
          text: string;
          marks?: ({
           /** @enum {string} */
           type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
          } & ({
           /** @enum {string} */
           type: "bold";
          } | {
           /** @enum {string} */
           type: "italic";
          } | {
           /** @enum {string} */
           type: "underline";
          } | {
           /** @enum {string} */
           type: "strike";
          } | {
           /** @enum {string} */
           type: "colour";
           attrs: {
            colour: string;
           };
          } | {
           /** @enum {string} */
           type: "link";
           attrs: {
            href: string;
            name?: string;
           };
          }))[];
         } | {
          /** @enum {string} */
          type: "value";
          attrs: {
           code: string;
          };
          marks?: ({
           /** @enum {string} */
           type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
          } & ({
           /** @enum {string} */
           type: "bold";
          } | {
           /** @enum {string} */
           type: "italic";
          } | {
           /** @enum {string} */
           type: "underline";
          } | {
           /** @enum {string} */
           type: "strike";
          } | {
           /** @enum {string} */
           type: "colour";
           attrs: {
            colour: string;
           };
          } | {
           /** @enum {string} */
           type: "link";
           attrs: {
            href: string;
            name?: string;
           };
          }))[];
         } | {
          /** @enum {string} */
          type: "hardBreak";
         }))[];
        }[];
       }[];
      } | {
       /** @enum {string} */
       type: "orderedList";
       content: {
        /** @enum {string} */
        type: "listItem";
        content: {
         /** @enum {string} */
         type: "paragraph";
         attrs?: {
          /** @enum {unknown} */
          align?: "left" | "center" | "right";
         };
         content?: ({
          /** @enum {string} */
          type: "text" | "value" | "hardBreak";
         } & ({
          /** @enum {string} */
          type: "text";
          text: string;
          marks?: ({
           /** @enum {string} */
           type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
          } & ({
           /** @enum {string} */
           type: "bold";
          } | {
           /** @enum {string} */
           type: "italic";
          } | {
           /** @enum {string} */
           type: "underline";
          } | {
           /** @enum {string} */
           type: "strike";
          } | {
           /** @enum {string} */
           type: "colour";
           attrs: {
            colour: string;
           };
          } | {
           /** @enum {string} */
           type: "link";
           attrs: {
            href: string;
            name?: string;
           };
          }))[];
         } | {
          /** @enum {string} */
          type: "value";
          attrs: {
           code: string;
          };
          marks?: ({
           /** @enum {string} */
           type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
          } & ({
           /** @enum {string} */
           type: "bold";
          } | {
           /** @enum {string} */
           type: "italic";
          } | {
           /** @enum {string} */
           type: "underline";
          } | {
           /** @enum {string} */
           type: "strike";
          } | {
           /** @enum {string} */
           type: "colour";
           attrs: {
            colour: string;
           };
          } | {
           /** @enum {string} */
           type: "link";
           attrs: {
            href: string;
            name?: string;
           };
          }))[];
         } | {
          /** @enum {string} */
          type: "hardBreak";
         }))[];
        }[];
       }[];
      }))[];
     };
     address: string;
     unsubscribe: string;
     online?: string;
    } | {
     /** @enum {string} */
     type: "social";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     links: {
      name: string;
      href: string;
     }[];
     /** @enum {unknown} */
     align?: "left" | "center" | "right";
    } | {
     /** @enum {string} */
     type: "product";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     repeat?: {
      over: string;
      as: string;
      limit?: number;
     };
     image?: string;
     alt?: string;
     title: string;
     text?: string;
     price?: string;
     button?: string;
     href?: string;
    } | {
     /** @enum {string} */
     type: "html";
     id?: string;
     padding?: {
      top?: number;
      bottom?: number;
     };
     html: string;
    } | {
     /** @enum {string} */
     type: "columns";
     id?: string;
     columns: number[];
     blocks: ({
      /** @enum {string} */
      type: "text" | "heading" | "image" | "button" | "divider" | "spacer" | "header" | "footer" | "social" | "product" | "html";
     } & ({
      /** @enum {string} */
      type: "text";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      text: {
       /** @enum {string} */
       type: "doc";
       content: ({
        /** @enum {string} */
        type: "paragraph" | "bulletList" | "orderedList";
       } & ({
        /** @enum {string} */
        type: "paragraph";
        attrs?: {
         /** @enum {unknown} */
         align?: "left" | "center" | "right";
        };
        content?: ({
         /** @enum {string} */
         type: "text" | "value" | "hardBreak";
        } & ({
         /** @enum {string} */
         type: "text";
         text: string;
         marks?: ({
          /** @enum {string} */
          type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
         } & ({
          /** @enum {string} */
          type: "bold";
         } | {
          /** @enum {string} */
          type: "italic";
         } | {
          /** @enum {string} */
          type: "underline";
         } | {
          /** @enum {string} */
          type: "strike";
         } | {
          /** @enum {string} */
          type: "colour";
          attrs: {
           colour: string;
          };
         } | {
          /** @enum {string} */
          type: "link";
          attrs: {
           href: string;
           name?: string;
          };
         }))[];
        } | {
         /** @enum {string} */
         type: "value";
         attrs: {
          code: string;
         };
         marks?: ({
          /** @enum {string} */
          type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
         } & ({
          /** @enum {string} */
          type: "bold";
         } | {
          /** @enum {string} */
          type: "italic";
         } | {
          /** @enum {string} */
          type: "underline";
         } | {
          /** @enum {string} */
          type: "strike";
         } | {
          /** @enum {string} */
          type: "colour";
          attrs: {
           colour: string;
          };
         } | {
          /** @enum {string} */
          type: "link";
          attrs: {
           href: string;
           name?: string;
          };
         }))[];
        } | {
         /** @enum {string} */
         type: "hardBreak";
        }))[];
       } | {
        /** @enum {string} */
        type: "bulletList";
        content: {
         /** @enum {string} */
         type: "listItem";
         content: {
          /** @enum {string} */
          type: "paragraph";
          attrs?: {
           /** @enum {unknown} */
           align?: "left" | "center" | "right";
          };
          content?: ({
           /** @enum {string} */
           type: "text" | "value" | "hardBreak";
          } & ({
           /** @enum {string} */
           type: "text";
           text: string;
           marks?: ({
            /** @enum {string} */
            type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
           } & ({
            /** @enum {string} */
            type: "bold";
           } | {
            /** @enum {string} */
            type: "italic";
           } | {
            /** @enum {string} */
            type: "underline";
           } | {
            /** @enum {string} */
            type: "strike";
           } | {
            /** @enum {string} */
            type: "colour";
            attrs: {
             colour: string;
            };
           } | {
            /** @enum {string} */
            type: "link";
            attrs: {
             href: string;
             name?: string;
            };
           }))[];
          } | {
           /** @enum {string} */
           type: "value";
           attrs: {
            code: string;
           };
           marks?: ({
            /** @enum {string} */
            type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
           } & ({
            /** @enum {string} */
            type: "bold";
           } | {
            /** @enum {string} */
            type: "italic";
           } | {
            /** @enum {string} */
            type: "underline";
           } | {
            /** @enum {string} */
            type: "strike";
           } | {
            /** @enum {string} */
            type: "colour";
            attrs: {
             colour: string;
            };
           } | {
            /** @enum {string} */
            type: "link";
            attrs: {
             href: string;
             name?: string;
            };
           }))[];
          } | {
           /** @enum {string} */
           type: "hardBreak";
          }))[];
         }[];
        }[];
       } | {
        /** @enum {string} */
        type: "orderedList";
        content: {
         /** @enum {string} */
         type: "listItem";
         content: {
          /** @enum {string} */
          type: "paragraph";
          attrs?: {
           /** @enum {unknown} */
           align?: "left" | "center" | "right";
          };
          content?: ({
           /** @enum {string} */
           type: "text" | "value" | "hardBreak";
          } & ({
           /** @enum {string} */
           type: "text";
           text: string;
           marks?: ({
            /** @enum {string} */
            type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
           } & ({
            /** @enum {string} */
            type: "bold";
           } | {
            /** @enum {string} */
            type: "italic";
           } | {
            /** @enum {string} */
            type: "underline";
           } | {
            /** @enum {string} */
            type: "strike";
           } | {
            /** @enum {string} */
            type: "colour";
            attrs: {
             colour: string;
            };
           } | {
            /** @enum {string} */
            type: "link";
            attrs: {
             href: string;
             name?: string;
            };
           }))[];
          } | {
           /** @enum {string} */
           type: "value";
           attrs: {
            code: string;
           };
           marks?: ({
            /** @enum {string} */
            type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
           } & ({
            /** @enum {string} */
            type: "bold";
           } | {
            /** @enum {string} */
            type: "italic";
           } | {
            /** @enum {string} */
            type: "underline";
           } | {
            /** @enum {string} */
            type: "strike";
           } | {
            /** @enum {string} */
            type: "colour";
            attrs: {
             colour: string;
            };
           } | {
            /** @enum {string} */
            type: "link";
            attrs: {
             href: string;
             name?: string;
            };
           }))[];
          } | {
           /** @enum {string} */
           type: "hardBreak";
          }))[];
         }[];
        }[];
       }))[];
      };
      size?: number;
      /** @enum {unknown} */
      tone?: "normal" | "muted";
     } | {
      /** @enum {string} */
      type: "heading";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      text: string;
      level?: number;
      /** @enum {unknown} */
      align?: "left" | "center" | "right";
     } | {
      /** @enum {string} */
      type: "image";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      src: string;
      alt: string;
      isDecoration?: boolean;
      href?: string;
      width?: number;
      /** @enum {unknown} */
      align?: "left" | "center" | "right";
      radius?: number;
     } | {
      /** @enum {string} */
      type: "button";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      text: string;
      href: string;
      /** @enum {unknown} */
      align?: "left" | "center" | "right";
      /** @enum {unknown} */
      kind?: "filled" | "outlined";
      isWide?: boolean;
     } | {
      /** @enum {string} */
      type: "divider";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
     } | {
      /** @enum {string} */
      type: "spacer";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      height: number;
     } | {
      /** @enum {string} */
      type: "header";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      name: string;
      logo?: {
       src: string;
       alt: string;
       width: number;
      } | null;
      href?: string;
      /** @enum {unknown} */
      align?: "left" | "center" | "right";
     } | {
      /** @enum {string} */
      type: "footer";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      text?: {
       /** @enum {string} */
       type: "doc";
       content: ({
        /** @enum {string} */
        type: "paragraph" | "bulletList" | "orderedList";
       } & ({
        /** @enum {string} */
        type: "paragraph";
        attrs?: {
         /** @enum {unknown} */
         align?: "left" | "center" | "right";
        };
        content?: ({
         /** @enum {string} */
         type: "text" | "value" | "hardBreak";
        } & ({
         /** @enum {string} */
         type: "text";
         text: string;
         marks?: ({
          /** @enum {string} */
          type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
         } & ({
          /** @enum {string} */
          type: "bold";
         } | {
          /** @enum {string} */
          type: "italic";
         } | {
          /** @enum {string} */
          type: "underline";
         } | {
          /** @enum {string} */
          type: "strike";
         } | {
          /** @enum {string} */
          type: "colour";
          attrs: {
           colour: string;
          };
         } | {
          /** @enum {string} */
          type: "link";
          attrs: {
           href: string;
           name?: string;
          };
         }))[];
        } | {
         /** @enum {string} */
         type: "value";
         attrs: {
          code: string;
         };
         marks?: ({
          /** @enum {string} */
          type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
         } & ({
          /** @enum {string} */
          type: "bold";
         } | {
          /** @enum {string} */
          type: "italic";
         } | {
          /** @enum {string} */
          type: "underline";
         } | {
          /** @enum {string} */
          type: "strike";
         } | {
          /** @enum {string} */
          type: "colour";
          attrs: {
           colour: string;
          };
         } | {
          /** @enum {string} */
          type: "link";
          attrs: {
           href: string;
           name?: string;
          };
         }))[];
        } | {
         /** @enum {string} */
         type: "hardBreak";
        }))[];
       } | {
        /** @enum {string} */
        type: "bulletList";
        content: {
         /** @enum {string} */
         type: "listItem";
         content: {
          /** @enum {string} */
          type: "paragraph";
          attrs?: {
           /** @enum {unknown} */
           align?: "left" | "center" | "right";
          };
          content?: ({
           /** @enum {string} */
           type: "text" | "value" | "hardBreak";
          } & ({
           /** @enum {string} */
           type: "text";
           text: string;
           marks?: ({
            /** @enum {string} */
            type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
           } & ({
            /** @enum {string} */
            type: "bold";
           } | {
            /** @enum {string} */
            type: "italic";
           } | {
            /** @enum {string} */
            type: "underline";
           } | {
            /** @enum {string} */
            type: "strike";
           } | {
            /** @enum {string} */
            type: "colour";
            attrs: {
             colour: string;
            };
           } | {
            /** @enum {string} */
            type: "link";
            attrs: {
             href: string;
             name?: string;
            };
           }))[];
          } | {
           /** @enum {string} */
           type: "value";
           attrs: {
            code: string;
           };
           marks?: ({
            /** @enum {string} */
            type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
           } & ({
            /** @enum {string} */
            type: "bold";
           } | {
            /** @enum {string} */
            type: "italic";
           } | {
            /** @enum {string} */
            type: "underline";
           } | {
            /** @enum {string} */
            type: "strike";
           } | {
            /** @enum {string} */
            type: "colour";
            attrs: {
             colour: string;
            };
           } | {
            /** @enum {string} */
            type: "link";
            attrs: {
             href: string;
             name?: string;
            };
           }))[];
          } | {
           /** @enum {string} */
           type: "hardBreak";
          }))[];
         }[];
        }[];
       } | {
        /** @enum {string} */
        type: "orderedList";
        content: {
         /** @enum {string} */
         type: "listItem";
         content: {
          /** @enum {string} */
          type: "paragraph";
          attrs?: {
           /** @enum {unknown} */
           align?: "left" | "center" | "right";
          };
          content?: ({
           /** @enum {string} */
           type: "text" | "value" | "hardBreak";
          } & ({
           /** @enum {string} */
           type: "text";
           text: string;
           marks?: ({
            /** @enum {string} */
            type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
           } & ({
            /** @enum {string} */
            type: "bold";
           } | {
            /** @enum {string} */
            type: "italic";
           } | {
            /** @enum {string} */
            type: "underline";
           } | {
            /** @enum {string} */
            type: "strike";
           } | {
            /** @enum {string} */
            type: "colour";
            attrs: {
             colour: string;
            };
           } | {
            /** @enum {string} */
            type: "link";
            attrs: {
             href: string;
             name?: string;
            };
           }))[];
          } | {
           /** @enum {string} */
           type: "value";
           attrs: {
            code: string;
           };
           marks?: ({
            /** @enum {string} */
            type: "bold" | "italic" | "underline" | "strike" | "colour" | "link";
           } & ({
            /** @enum {string} */
            type: "bold";
           } | {
            /** @enum {string} */
            type: "italic";
           } | {
            /** @enum {string} */
            type: "underline";
           } | {
            /** @enum {string} */
            type: "strike";
           } | {
            /** @enum {string} */
            type: "colour";
            attrs: {
             colour: string;
            };
           } | {
            /** @enum {string} */
            type: "link";
            attrs: {
             href: string;
             name?: string;
            };
           }))[];
          } | {
           /** @enum {string} */
           type: "hardBreak";
          }))[];
         }[];
        }[];
       }))[];
      };
      address: string;
      unsubscribe: string;
      online?: string;
     } | {
      /** @enum {string} */
      type: "social";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      links: {
       name: string;
       href: string;
      }[];
      /** @enum {unknown} */
      align?: "left" | "center" | "right";
     } | {
      /** @enum {string} */
      type: "product";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      repeat?: {
       over: string;
       as: string;
       limit?: number;
      };
      image?: string;
      alt?: string;
      title: string;
      text?: string;
      price?: string;
      button?: string;
      href?: string;
     } | {
      /** @enum {string} */
      type: "html";
      id?: string;
      padding?: {
       top?: number;
       bottom?: number;
      };
      html: string;
     }))[][];
    }))[][];
    /** @enum {unknown} */
    background?: "surface" | "tinted" | "accent" | "none";
    condition?: string;
    repeat?: {
     over: string;
     as: string;
     limit?: number;
    };
   }[];
  };
 };
 responses: never;
 parameters: never;
 requestBodies: never;
 headers: never;
 pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

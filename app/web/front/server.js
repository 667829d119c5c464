// Requests to the program: JSON over fetch, with the token where there is one.

export class Refusal extends Error {
  constructor(status, error, state) {
    super(error?.message ?? `The server answered ${status}.`);
    Object.assign(this, {status, code: error?.code, state});  // status 0: no answer; state: of the session
  }
}

export class Server {
  constructor({api, about, sources, open, headers, token}) {
    const at = (path) => new URL(path, api);
    this.urls = {api, about: about ?? at('about'), sources: sources ?? at('sources'), open: open ?? at('sessions')};
    this.headers = {...(token && {Authorization: `Bearer ${token}`}), ...headers};
  }

  // `body`: what becomes JSON, or a Blob; `keepalive`: also when the page goes. Throws a Refusal.
  async ask(url, method = 'GET', body, keepalive = false) {
    const isJson = body !== undefined && !(body instanceof Blob);
    const headers = {...this.headers, ...(isJson && {'Content-Type': 'application/json'})};
    let response, answer = null;
    try {
      response = await fetch(url, {method, headers, cache: 'no-store', keepalive, body: isJson ? JSON.stringify(body) : body});
    } catch {
      throw new Refusal(0, {message: 'The server does not answer.'});
    }
    try { answer = await response.json(); } catch { /* 204, or an error without JSON */ }
    if (!response.ok) throw new Refusal(response.status, answer?.error, answer?.state);
    return answer;
  }

  route(path, query = {}) {
    const url = new URL(path, this.urls.api);  // an absolute one stays
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
    }
    return url;
  }
}

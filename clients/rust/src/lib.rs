//! Starts a login-engine, and follows the login forms that it runs: protocol/README.md.

mod engine;
mod form;
pub mod model;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod transcripts;
pub mod wire;

pub use engine::{Answer, Engine, Session};
pub use form::Change;

/// Why there is no result.
#[derive(Debug)]
pub enum Error {
    /// The engine has refused the request.
    Refused(wire::Error),
    /// The session or the engine has ended.
    Closed,
    /// The press was not sent, because another one waits or because the screen has changed.
    Dropped,
    /// The engine has sent what this version of the crate cannot read.
    Unreadable(serde_json::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Refused(error) => write!(formatter, "{} ({})", error.message, String::from(error.data.code.clone())),
            Self::Closed => formatter.write_str("the session or the engine has ended"),
            Self::Dropped => formatter.write_str("the press was dropped"),
            Self::Unreadable(error) => write!(formatter, "the engine's line cannot be read: {error}"),
        }
    }
}

impl std::error::Error for Error {}

//! Which collections answer for lichess's databases.

/// The collections behind the routes of lichess's API; all of them, if none is named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Roles {
    /// That of `/masters`.
    pub masters: Option<String>,
    /// That of `/lichess`.
    pub lichess: Option<String>,
}
